// Assertions of tests by masto.js.
import assert from "node:assert/strict";

export const same = assert.deepEqual;

export const ids = (all) => all.map(({ id }) => id);

/** Asserts that a request fails by a status. */
export async function refused(status, request) {
  await assert.rejects(
    async () => await request,
    (error) => {
      same(error.statusCode, status, `${error.message}`);
      return true;
    },
  );
}

/** Reads the pages of a list, 20 at most, to its end. */
export async function pagesOf(list) {
  const pages = [];
  for await (const page of list) {
    pages.push(ids(page));
    assert.ok(pages.length < 20, `the list goes on: ${JSON.stringify(pages)}`);
  }
  return pages;
}

/** Asserts that a list has the same items in pages of one as in one page. */
export async function onPages(list, want) {
  same(ids(await list({ limit: 40 })), want);
  const pages = await pagesOf(list({ limit: 1 }));
  same(pages.flat(), want);
  same(
    pages.every((page) => page.length <= 1),
    true,
  );
}
