let resolve: () => void;

/** Is there when the first page was drawn: what can wait comes after it. On a page that draws no list it is there after 5 s. */
export const drawn = new Promise<void>((done) => (resolve = done));

/** Says that the first page was drawn. */
export const nowDrawn = () => resolve();

setTimeout(nowDrawn, 5000);
