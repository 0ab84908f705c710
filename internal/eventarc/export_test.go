package eventarc

// Probe is what WaitIdle does between two looks at the queue.
var Probe = (*Runner).probe
