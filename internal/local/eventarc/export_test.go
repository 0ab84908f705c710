package eventarc

// Probe is what WaitIdle does between two looks at the queue.
var Probe = (*Runner).probe

// RegisterPattern tells the emulator to send the changes of one more pattern.
var RegisterPattern = (*Runner).register
