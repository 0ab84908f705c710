rootProject.name = "hibana-client"
