package reactions

// For the tests of this directory.
var Add = (*Store).add
