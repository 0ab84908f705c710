// The cases that the API's filters follow, too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type FilterContext, matchFilters } from "../src/filters.js";

interface Case {
  name: string;
  keyword: string;
  whole: boolean;
  text: string;
  match: boolean;
  tags?: string[];
  contexts?: FilterContext[];
  expiresAt?: string;
}

const cases = new URL("../../../../model/testdata/filters.json", import.meta.url);

test("filters match as those of the API", () => {
  const all = JSON.parse(readFileSync(cases, "utf8")) as { now: string; cases: Case[] };
  assert.ok(all.cases.length >= 40);
  for (const c of all.cases) {
    const filter = {
      id: "f",
      title: "t",
      contexts: c.contexts ?? ["home" as const],
      action: "warn" as const,
      expiresAt: c.expiresAt,
      keywords: [{ keyword: "nothing of it" }, { keyword: c.keyword, wholeWord: c.whole }],
    };
    assert.deepEqual(
      matchFilters(
        [filter],
        { texts: ["before", c.text], tags: c.tags },
        "home",
        Date.parse(all.now),
      ),
      c.match
        ? [
            {
              filterId: "f",
              title: "t",
              action: "warn",
              keyword: c.keyword,
              contexts: filter.contexts,
              ...(c.expiresAt ? { expiresAt: c.expiresAt } : {}),
            },
          ]
        : [],
      c.name,
    );
  }
});

test("filters come in their order, and hide where they say so", () => {
  const one = (id: string, action: "hide" | "warn", keyword: string) => ({
    id,
    title: id,
    contexts: ["thread" as const],
    action,
    keywords: [{ keyword }],
  });
  const filters = [one("a", "warn", "spark"), one("b", "hide", "fly"), one("c", "hide", "fall")];
  const hits = matchFilters(filters, { texts: ["Sparks fly"] }, "thread");
  assert.deepEqual(
    hits.map((hit) => [hit.filterId, hit.action, hit.contexts]),
    [
      ["a", "warn", ["thread"]],
      ["b", "hide", ["thread"]],
    ],
  );
});

test("a long text is compared with a keyword once for each of its words", (t) => {
  const compare = t.mock.method(String.prototype, "startsWith").mock;
  const keywords = Array.from({ length: 500 }, (_, n) => ({
    keyword: "a".repeat((n % 100) + 1),
    wholeWord: true,
  }));
  const filter = { id: "f", title: "t", contexts: ["home" as const], action: "warn" as const };
  const texts = ["a".repeat(65_535)];
  assert.deepEqual(matchFilters([{ ...filter, keywords }], { texts }, "home"), []);
  const tries = compare.callCount();
  assert.ok(tries > 0 && tries <= 500 * 2, `${tries}`);
});
