// The service worker: it keeps the shell of the page, so that the page opens without a network.
const version = "VERSION";
const kept = ["KEPT"];
const project = "/__/firebase/init.json";

self.addEventListener("install", (event) => {
  // What goes to the API passes by the worker, where a browser can do that: Chrome drops what a
  // page sends while it is left if it has to ask a worker.
  event
    .addRoutes?.({ condition: { urlPattern: "/v1/*" }, source: "network" })
    ?.catch(() => undefined);
  event.waitUntil(
    caches
      .open(version)
      .then((cache) =>
        Promise.all([
          cache.addAll(kept),
          // The page that was open before the worker has asked for it already.
          cache.add(project).catch(() => undefined),
        ]),
      )
      .then(() => self.skipWaiting()),
  );
});

// The page says in a cache of its own who is signed in here: see lib/here.ts.
const readers = "hibana.reader";
const here = () => caches.open(readers).then((cache) => cache.match("/reader"));
const names = () =>
  here()
    .then((answer) => answer?.json())
    .then((all) => all ?? {})
    .catch(() => ({}));

// The pages of people and tweets, which the API has for visitors and this client for its readers.
const open = /^\/@\w{3,20}(\/[0-9a-f]{18})?\/?$/;

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name !== version && name !== readers)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate" && open.test(url.pathname)) {
    event.respondWith(
      here().then((reader) =>
        reader ? fetch("/").catch(() => caches.match("/")) : fetch(event.request),
      ),
    );
  } else if (
    event.request.mode === "navigate" &&
    !url.pathname.startsWith("/v1/") &&
    !url.pathname.startsWith("/media/") &&
    !url.pathname.startsWith("/@") &&
    !url.pathname.startsWith("/docs")
  ) {
    // The page of today, and the kept one without a network.
    event.respondWith(fetch(event.request).catch(() => caches.match("/")));
  } else if (kept.includes(url.pathname) || url.pathname.startsWith("/assets/")) {
    event.respondWith(
      caches.match(url.pathname).then((found) => {
        if (found) return found;
        return fetch(event.request).then((answer) => {
          const copy = answer.clone();
          if (answer.ok)
            event.waitUntil(caches.open(version).then((cache) => cache.put(url.pathname, copy)));
          return answer;
        });
      }),
    );
  } else if (url.pathname === project) {
    event.respondWith(
      fetch(event.request)
        .then((answer) => {
          const copy = answer.clone();
          event.waitUntil(caches.open(version).then((cache) => cache.put(url.pathname, copy)));
          return answer;
        })
        .catch(() => caches.match(url.pathname)),
    );
  }
});

// What a page loaded before this worker was there, such as its fonts and its language.
self.addEventListener("message", (event) => {
  const paths = (event.data?.loaded ?? []).filter(
    (path) => typeof path === "string" && path.startsWith("/assets/"),
  );
  event.waitUntil(
    caches.open(version).then((cache) =>
      Promise.all(
        paths.map(async (path) => {
          if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
        }),
      ),
    ),
  );
});

// Push messages: the API sends what a notification says, and where a click leads.
self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data ? event.data.json() : {};
  } catch {
    // no JSON: the plain name of the service is shown
  }
  // What happened, in few words: a worker has no catalogue. A message that comes twice shows once,
  // by its tag.
  const [kind = ""] = String(message.slot ?? "").split(":");
  const sign =
    {
      follow: "+",
      followRequest: "+?",
      like: "✦",
      share: "⇄",
      quote: "“",
      reply: "↩",
      mention: "@",
      edit: "✎",
      poll: "☑",
      post: "🔔",
      order: "▣",
      message: "✉",
    }[kind] ?? "✦";
  const others = message.countUsers > 1 ? ` +${message.countUsers - 1}` : "";
  event.waitUntil(
    names().then((all) => {
      const uid = message.recipientId;
      // A browser with several accounts says which one hears of it.
      const whose = Object.keys(all).length > 1 && all[uid] ? `@${all[uid]}` : "";
      // Of an account that is not here any more, nobody else is told a word. Something must show.
      if (uid && Object.keys(all).length > 0 && !(uid in all))
        return self.registration.showNotification("Hibana", {
          icon: "/icon-192.png",
          tag: "gone",
          data: { path: "/notifications" },
        });
      return self.registration.showNotification(
        `${sign} ${message.nickname ?? "Hibana"}${others}`,
        {
          body: [whose, message.excerpt].filter(Boolean).join("\n"),
          icon: "/icon-192.png",
          tag: uid ? `${uid} ${message.id}` : message.id,
          data: {
            uid,
            path: message.conversationId
              ? `/messages/${message.conversationId}`
              : message.tweetId
                ? `/tweets/${message.tweetId}`
                : "/notifications",
          },
        },
      );
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path: said, uid } = event.notification.data ?? {};
  const path =
    typeof said === "string" && said.startsWith("/") && !said.startsWith("//")
      ? said
      : "/notifications";
  // The page that opens takes over whose it is: see lib/accounts.ts.
  const handover = uid
    ? caches
        .open(readers)
        .then((cache) =>
          cache.put("/for", new Response(JSON.stringify({ uid, path, at: Date.now() }))),
        )
        .catch(() => undefined)
    : Promise.resolve();
  event.waitUntil(handover.then(() => self.clients.openWindow(path)));
});
