# Firebase Auth, and Firebase Hosting with the web client.

resource "google_firebase_project" "this" {
  provider   = google-beta
  depends_on = [google_project_service.api]
}

resource "google_firebase_web_app" "web" {
  provider     = google-beta
  display_name = "Hibana"
  depends_on   = [google_firebase_project.this]
}

resource "google_firebase_hosting_site" "web" {
  provider = google-beta
  site_id  = var.project
  app_id   = google_firebase_web_app.web.app_id
}

# People sign in with an email address and a password; a visitor may be an anonymous user. One address has one account.
# Plain Firebase Auth has the same methods and costs nothing, but only firebase-tools and the console switch them on:
# docs/operate/deploy.md.
resource "google_identity_platform_config" "auth" {
  count = var.identity_platform ? 1 : 0

  autodelete_anonymous_users = true
  authorized_domains         = concat(["${var.project}.web.app", "${var.project}.firebaseapp.com"], var.authorized_domains)

  sign_in {
    allow_duplicate_emails = false
    email {
      enabled           = true
      password_required = true
    }
    anonymous {
      enabled = true
    }
  }

  depends_on = [google_firebase_project.this]
}

moved {
  from = google_identity_platform_config.auth
  to   = google_identity_platform_config.auth[0]
}
