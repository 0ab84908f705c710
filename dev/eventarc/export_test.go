package eventarc

// BetweenProbes is how long WaitIdle waits at least from one probe to the next.
const BetweenProbes = betweenProbes

// Probe is what WaitIdle does between two looks at the queue.
var Probe = (*Runner).probe

// RegisterPattern makes the emulator send the changes of one more pattern.
var RegisterPattern = (*Runner).register

// Await commits writes, and returns when the events of a probe among them have arrived.
var Await = (*Runner).await
