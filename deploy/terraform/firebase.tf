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

  # A second factor is a person's choice: a code that an app of the person makes for each half minute.
  mfa {
    state             = var.second_factor ? "ENABLED" : "DISABLED"
    enabled_providers = []
    dynamic "provider_configs" {
      for_each = var.second_factor ? [1] : []
      content {
        state = "ENABLED"
        totp_provider_config {
          adjacent_intervals = 1
        }
      }
    }
  }

  depends_on = [google_firebase_project.this]
}

# Sign-in with accounts of Google and Apple. The web client offers those that its build names, see VITE_SIGN_IN in
# docs/operate/configure.md.
resource "google_identity_platform_default_supported_idp_config" "provider" {
  for_each = var.identity_platform ? var.sign_in_providers : {}

  idp_id        = each.key
  client_id     = each.value.client_id
  client_secret = each.value.client_secret
  enabled       = true
  depends_on    = [google_identity_platform_config.auth]
}

moved {
  from = google_identity_platform_config.auth
  to   = google_identity_platform_config.auth[0]
}
