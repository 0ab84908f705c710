/**
 * Stands in the place of re2js, a third of the Firestore SDK, with which it would run the regular
 * expressions of pipelines on what it has cached. This client listens to single documents.
 */
export const RE2JS = {
  compile(pattern: string): never {
    throw new Error(`this client runs no pipelines of Firestore: ${pattern}`);
  },
};
