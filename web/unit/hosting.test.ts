import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Hosting {
  rewrites: { source: string; run?: { serviceId: string; region: string } }[];
  headers: { source: string }[];
}

function hosting(env: Record<string, string>): Hosting {
  const to = join(mkdtempSync(join(tmpdir(), "hosting-")), "hosting.json");
  execFileSync(process.execPath, [join(import.meta.dirname, "../hosting.mjs"), to], {
    env: { ...process.env, VITE_API_URL: "https://api.example", ...env },
  });
  return (JSON.parse(readFileSync(to, "utf8")) as { hosting: Hosting }).hosting;
}

test("Hosting sends servers of the fediverse to the API, if the installation federates", () => {
  const off = hosting({}).rewrites.map((rewrite) => rewrite.source);
  expect(off).not.toContain("/inbox");
  const { rewrites, headers } = hosting({ FEDERATION: "on", REGION: "europe-west1" });
  for (const source of ["/.well-known/webfinger", "/inbox", "/users/**", "/posts/**"]) {
    expect(rewrites.find((rewrite) => rewrite.source === source)?.run).toEqual({
      serviceId: "hibana-api",
      region: "europe-west1",
    });
    expect(headers[0]?.source).toContain(source.slice(1));
  }
  expect(rewrites.at(-1)?.source).toBe("**");
});

test("Hosting sends apps for Mastodon to the API, and no page, if it is asked to", () => {
  expect(hosting({}).rewrites.map((rewrite) => rewrite.source)).not.toContain("/api/**");
  const { rewrites, headers } = hosting({ APPS: "on" });
  for (const source of ["/api/**", "/oauth/token", "/avatars/original/missing.png"]) {
    expect(rewrites.find((rewrite) => rewrite.source === source)?.run?.serviceId).toBe(
      "hibana-api",
    );
    expect(headers[0]?.source).toContain(source.slice(1));
  }
  expect(rewrites.some((rewrite) => rewrite.source.startsWith("/oauth/a"))).toBe(false);
  expect(rewrites.at(-1)?.source).toBe("**");
});
