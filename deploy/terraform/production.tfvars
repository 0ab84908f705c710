project = "my-hibana"
region  = "asia-northeast1"
tag     = "v1.0.0"
protect = true

api_instances       = { min = 1, max = 10 }
functions_instances = { min = 1, max = 20 }

settings           = { APP_CHECK = "monitor", SERVER_TIMING = "admins" }
authorized_domains = ["hibana.example"]
alert_emails       = ["oncall@hibana.example"]
billing_account    = "012345-678901-ABCDEF"
users              = 10000
