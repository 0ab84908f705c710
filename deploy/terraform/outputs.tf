output "images" {
  description = "Where the images belong."
  value       = local.images
}

output "api" {
  description = "Address of the API."
  value       = google_cloud_run_v2_service.api.uri
}

output "functions" {
  description = "Address of the functions, which answers inside the project alone."
  value       = google_cloud_run_v2_service.functions.uri
}

output "indexes" {
  description = "Composite indexes of the database: for var.restored, once there is a copy of it."
  value       = sort(keys(local.indexes))
}

output "web" {
  description = "Address of the web client."
  value       = google_firebase_hosting_site.web.default_url
}
