// Package simulate says what home timelines cost by push and by pull, and how many users break which limit of
// Firestore, Eventarc, Pub/Sub or Cloud Run. It runs in memory, without emulators.
//
// Small networks are simulated event by event, see [Simulate]. Larger ones are formulas, see [Plan], which the
// simulations confirm. The users and their day are those of package cost.
//
// With push, the function of a tweet or share writes an entry into the timeline of each active follower. With pull, it
// writes the head of the author, a document with the newest 40 items. Pages merge the heads of the followed authors. An
// instance keeps heads and tweets in memory. It hears from change digests which of them changed: each process that
// writes collects changes for a second, and writes them into one document.
//
// A formula assumes what docs/contribute/costs.md and deploy/terraform say, and this: an instance takes 250 requests or
// events a second, the peak is four times the mean, and half of the instances of the peak serve the average page. Its
// pages are up to a fifth cheaper than those of a simulation.
package simulate
