import { expect, test, vi } from "vitest";
import { destination, goTo, requested } from "../src/features/apps/request";
import { ofStaff, said } from "../src/features/apps/scopes";

test("the address of the page says what an app asks for", () => {
  const asked = requested(
    "?response_type=code&client_id=A&redirect_uri=app%3A%2F%2Fcb%3Fa%3D1&scope=read+write&state=a%20b%26&code_challenge=c&code_challenge_method=S256&lang=ja-JP&force_login=true",
  );
  expect(asked).toEqual({
    request: {
      responseType: "code",
      clientId: "A",
      redirectUri: "app://cb?a=1",
      scope: "read write",
      state: "a b&",
      codeChallenge: "c",
      codeChallengeMethod: "S256",
    },
    lang: "ja-JP",
    choose: true,
  });
  expect(requested("?client_id=A&client_id=B").request).toEqual({
    responseType: "",
    clientId: "A",
    redirectUri: "",
  });
  expect(requested("?force_login=false").choose).toBe(false);
});

test("people see where the answer goes", () => {
  expect(destination("https://elk.zone/cb?x=https://hibana.example")).toEqual({ host: "elk.zone" });
  expect(destination("http://127.0.0.1:3000/")).toEqual({ host: "127.0.0.1:3000" });
  expect(destination("icecubesapp://")).toEqual({ scheme: "icecubesapp" });
  expect(destination("com.tapbots.Ivory:/request_token")).toEqual({ scheme: "com.tapbots.ivory" });
  expect(destination("urn:ietf:wg:oauth:2.0:oob")).toBeUndefined();
});

test("the page goes to no address that runs something", () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { assign });
  for (const bad of [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "data:text/html,x",
    "file:///x",
  ])
    goTo(bad);
  expect(assign).not.toHaveBeenCalled();
  goTo("icecubesapp://?code=x");
  expect(assign).toHaveBeenCalledWith("icecubesapp://?code=x");
  vi.unstubAllGlobals();
});

test("scopes are said once, and none that another one says", () => {
  expect(said(["read", "read:statuses", "profile", "write:media"])).toEqual([
    "read",
    "write_media",
  ]);
  expect(said(["follow", "write:follows", "read:mutes", "read:lists"])).toEqual([
    "follow",
    "read_lists",
  ]);
  expect(said(["admin:read:reports", "admin:read:accounts", "admin:write"])).toEqual([
    "admin_read",
    "admin_write",
  ]);
  expect(said(["profile"])).toEqual(["profile"]);
  expect(ofStaff(["read", "admin:read:reports"])).toBe(true);
  expect(ofStaff(["read", "write"])).toBe(false);
});
