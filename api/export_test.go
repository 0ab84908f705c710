package api

// Actions is the table of actions, for tests.
var Actions = actions
