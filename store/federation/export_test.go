package federation

// RegisteredDomain is for tests.
var RegisteredDomain = registeredDomain
