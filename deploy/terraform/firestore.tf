# Indexes, TTL policies and exceptions from indexing have one source, which the emulator, the
# tests and firebase-tools read too.

locals {
  definitions = jsondecode(file("${path.module}/../../firestore.indexes.json"))

  indexes = {
    for index in local.definitions.indexes :
    join(" ", concat([index.collectionGroup, index.queryScope], [for f in index.fields : "${f.fieldPath} ${try(f.order, f.arrayConfig)}"])) => index
  }

  fields = { for field in local.definitions.fieldOverrides : "${field.collectionGroup} ${field.fieldPath}" => field }
}

resource "google_firestore_database" "database" {
  name        = var.database
  location_id = local.location
  type        = "FIRESTORE_NATIVE"

  point_in_time_recovery_enablement = var.users < 2 ? "POINT_IN_TIME_RECOVERY_DISABLED" : "POINT_IN_TIME_RECOVERY_ENABLED" # 7 days, the most there is; one person has daily backups
  delete_protection_state           = "DELETE_PROTECTION_ENABLED"

  # After a change of the database's name, the old database stays and Terraform forgets it.
  deletion_policy = "ABANDON"

  depends_on = [google_project_service.api]
}

resource "google_firestore_backup_schedule" "daily" {
  database  = google_firestore_database.database.name
  retention = "604800s" # 7 days
  daily_recurrence {}
  deletion_policy = "ABANDON"
}

resource "google_firestore_backup_schedule" "weekly" {
  database  = google_firestore_database.database.name
  retention = "2419200s" # 4 weeks; monthly exports are older
  weekly_recurrence {
    day = "SUNDAY"
  }
  deletion_policy = "ABANDON"
}

# An index that left the file stays until somebody deletes it, because the earlier version still needs it. Indexes that
# a restore created exist already and are not created again.
resource "google_firestore_index" "index" {
  for_each = { for key, index in local.indexes : key => index if !contains(var.restored, key) }

  database        = google_firestore_database.database.name
  collection      = each.value.collectionGroup
  query_scope     = each.value.queryScope
  deletion_policy = "ABANDON"

  # The first apply makes dozens at once, and those of one collection wait for each other: the provider's own 20
  # minutes are for one alone.
  timeouts {
    create = "2h"
    update = "2h"
    delete = "2h"
  }

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

resource "google_firestore_field" "field" {
  for_each = local.fields

  database        = google_firestore_database.database.name
  collection      = each.value.collectionGroup
  field           = each.value.fieldPath
  deletion_policy = "ABANDON"

  timeouts {
    create = "2h"
    update = "2h"
    delete = "2h"
  }

  # Without indexes: no single-field index at all.
  index_config {
    dynamic "indexes" {
      for_each = each.value.indexes
      content {
        query_scope  = indexes.value.queryScope
        order        = try(indexes.value.order, null)
        array_config = try(indexes.value.arrayConfig, null)
      }
    }
  }

  dynamic "ttl_config" {
    for_each = try(each.value.ttl, false) ? [true] : []
    content {}
  }
}

resource "google_firebaserules_ruleset" "firestore" {
  source {
    files {
      name    = "firestore.rules"
      content = file("${path.module}/../../firestore.rules")
    }
  }

  lifecycle {
    create_before_destroy = true
  }
  depends_on = [google_firebase_project.this]
}

resource "google_firebaserules_release" "firestore" {
  name         = var.database == "(default)" ? "cloud.firestore" : "cloud.firestore/${var.database}"
  ruleset_name = google_firebaserules_ruleset.firestore.name
  depends_on   = [google_firestore_database.database]
}
