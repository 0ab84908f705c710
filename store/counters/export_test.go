package counters

// For the tests of this directory.
var RollUpSoon = (*Store).rollUpSoon
