variable "project" {
  description = "Google Cloud project, which has billing."
  type        = string
}

variable "region" {
  description = "Of everything that runs."
  type        = string
  default     = "asia-northeast1"
}

variable "location" {
  description = "Of the Firestore database and of its triggers, such as nam5; the region if empty."
  type        = string
  default     = ""
}

variable "database" {
  description = "Id of the database that the services use. Another id makes another database, and leaves the data of the old one as it is; its rules go."
  type        = string
  default     = "(default)"
}

variable "restored" {
  description = "Composite indexes that the database had before Terraform knew it: those of a restore or a clone. terraform output -json indexes lists them."
  type        = set(string)
  default     = []
}

variable "tag" {
  description = "Of the images, such as a version or a revision."
  type        = string
}

variable "protect" {
  description = "Whether Terraform refuses to destroy the services and buckets that are not empty, and the retention of exports and of the copy of the audit log is locked, which nobody can take back."
  type        = bool
  default     = true
}

variable "api_instances" {
  description = "Least and largest number of instances of the API."
  type        = object({ min = number, max = number })
  default     = { min = 1, max = 10 }
}

variable "functions_instances" {
  description = "Least and largest number of instances of the functions. With 0 a tweet waits for a cold start before it is in a timeline."
  type        = object({ min = number, max = number })
  default     = { min = 1, max = 20 }
}

variable "settings" {
  description = "Variables of docs/operate/configure.md, by name, for the services that read them. Absent is the default."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for name in keys(var.settings) : contains(concat(local.shared_settings, local.api_settings, local.functions_settings), name)])
    error_message = "The settings have a name that no service reads, or that Terraform sets by itself."
  }
}

variable "web_push" {
  description = "Whether the functions get VAPID_PRIVATE_KEY from the secret hibana-vapid-key; then settings need VAPID_PUBLIC_KEY and VAPID_CONTACT."
  type        = bool
  default     = false
}

variable "federation_key" {
  description = "Whether the API and the functions get ACTOR_KEY from the secret hibana-actor-key; settings with FEDERATION = \"on\" or \"allow\" need it, or KMS_KEY."
  type        = bool
  default     = false
}

variable "ai_key" {
  description = "Whether the services get AI_API_KEY from the secret hibana-ai-key; then settings need AI_PROVIDER and AI_ENDPOINT."
  type        = bool
  default     = false
}

variable "search_login" {
  description = "Whether both services get SEARCH_LOGIN from the secret hibana-search-login; then settings need SEARCH_URL."
  type        = bool
  default     = false
}

variable "authorized_domains" {
  description = "Domains of the web client besides those of Firebase Hosting. Without identity_platform the console needs them too, for people to sign in."
  type        = list(string)
  default     = []
}

variable "identity_platform" {
  description = "Whether Terraform upgrades Firebase Auth to Identity Platform and configures it. Nobody can take the upgrade back, and it costs $0.0055 for each monthly user above 50,000."
  type        = bool
  default     = false
}

variable "sign_in_providers" {
  description = "Providers with which people sign in besides e-mail, google.com and apple.com, with their OAuth clients. They need identity_platform; without it the console configures them."
  type        = map(object({ client_id = string, client_secret = string }))
  default     = {}
  nullable    = false

  validation {
    condition     = length(setsubtract(keys(var.sign_in_providers), ["google.com", "apple.com"])) == 0
    error_message = "The web client knows google.com and apple.com."
  }
}

variable "second_factor" {
  description = "Whether people may add a second factor to their sign-in, a code of an authenticator app (TOTP). It needs identity_platform."
  type        = bool
  default     = false
}

variable "telemetry" {
  description = "Whether the services send metrics to Cloud Monitoring, at some $4 a month for an instance of each, and traces to Cloud Trace. Without, there are no alerts and charts of Hibana's own metrics."
  type        = bool
  default     = true
}

variable "always_on" {
  description = "Whether the CPU of a service is there between requests, too, which is instance-based billing; by the number of users if null."
  type        = object({ api = optional(bool), functions = optional(bool) })
  default     = {}
}

variable "unused_accounts" {
  description = "Time after which the daily sweep deletes an account of Firebase Auth that has no profile and that nobody used. \"0\" keeps them: set it if other apps share the Firebase project, whose users have no profile."
  type        = string
  default     = "720h"
}

variable "operators" {
  description = "Who runs hibana verify --repair, as user:ann@example.com; they may list and delete files of media, and not read them. Owners of the project need no entry."
  type        = list(string)
  default     = []
}

variable "alert_emails" {
  description = "Who hears of alerts."
  type        = list(string)
  default     = []
}

variable "runbook" {
  description = "Where docs/operate/runbook.md can be read."
  type        = string
  default     = "https://github.com/hibana-sns/hibana/blob/main/docs/operate/runbook.md"
}

variable "users" {
  description = "People who use it on a day, as expected. The alert on reads and the budget follow it. With 1 there are no alerts, and only the jobs that are free."
  type        = number
  default     = 1000

  validation {
    condition     = var.users >= 1
    error_message = "A project that nobody uses has no budget."
  }
}

variable "daily_reads" {
  description = "Documents that may be read in a day, if not what docs/contribute/costs.md says of the users. 80 % of it is an alert."
  type        = number
  default     = null
}

variable "billing_account" {
  description = "Whose budget is watched, such as 012345-678901-ABCDEF; no budget if empty."
  type        = string
  default     = ""
}

variable "monthly_budget" {
  description = "In the currency of the billing account, if not what docs/contribute/costs.md says of the users, in US dollars."
  type        = number
  default     = null
}
