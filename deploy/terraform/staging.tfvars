project = "my-hibana-staging"
region  = "asia-northeast1"
tag     = "v1.0.0"
protect = false

api_instances       = { min = 0, max = 2 }
functions_instances = { min = 0, max = 2 }

alert_emails    = ["developers@hibana.example"]
billing_account = "012345-678901-ABCDEF"
users           = 100
