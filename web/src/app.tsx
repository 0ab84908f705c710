import { Suspense, useEffect, useLayoutEffect } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { drawn, late } from "./lib/drawn";
import { Frame } from "./frame/Frame";
import { Coming, Failed, Unseen } from "./ui/states";
import { page } from "./ui/page";
import { decode, isRenamed } from "./lib/paths";
import { useSession } from "./lib/session";

const Overlays = late(() => import("./frame/Overlays"));
const rest = () => import("./frame/Rest");
// public/theme.js begins to load the first of these that an address needs.
const Home = page(() => import("./features/home/Home"));
const Explore = page(() => import("./features/explore/Explore"));
const Notifications = page(() => import("./features/notifications/Notifications"));
const Profile = page(() => import("./features/people/Profile"));
const Rest = page(rest);
const Thread = page(() => import("./features/posts/Thread"));
const Begin = page(() => import("./features/account/Begin"), Unseen);
const Door = page(() => import("./features/account/Door"), Unseen);

// The tabs of a profile are one page: whoever goes from one to another stays on it. People and
// tweets have the addresses of their public pages, and those with ids, which stay when a person is
// renamed.
const profile =
  /^\/(?:users\/(?<uid>[^/]+)(?:\/(?<tab>tweets|roots|media|likes|shares))?|(?<name>@\w{3,20}))\/?$/;
const thread = /^\/(?:tweets|@\w{3,20})\/(?<id>[^/]+)\/?$/;

/** The page for each address. */
export function App() {
  const { state, guest, me } = useSession();
  const [path] = useLocation();
  useLayoutEffect(() => {
    // A page begins at its top; a list that was left and the page of a reply set their own place
    // after that.
    if (!isRenamed(path)) scrollTo(0, 0);
  }, [path, state]);
  // Whoever goes to another page waits for that page alone.
  useEffect(() => {
    void drawn.then(rest).catch(() => undefined);
    // It sends the deletions that another page could not.
    void drawn.then(() => import("./features/posts/deletions")).catch(() => undefined);
  }, []);
  if (state === "failed") return <Failed failure={undefined} again={() => location.reload()} />;
  if (state === "loading")
    return (
      <Frame>
        <Coming />
      </Frame>
    );
  if (state === "in" && !guest && me === null) return <Begin />;
  const alone = path === "/sign-in" || path === "/sign-up" || (path === "/" && state === "out");
  if (alone)
    return (
      <>
        <Door up={path === "/sign-up"} />
        <Suspense>
          <Overlays />
        </Suspense>
      </>
    );
  const person = !guest;
  return (
    <>
      <Frame>
        <Switch>
          <Route path="/">{person ? <Home /> : <Redirect to="/explore" />}</Route>
          <Route path="/explore">
            <Explore />
          </Route>
          <Route path={thread}>{({ id = "" }) => <Thread key={id} id={id} />}</Route>
          <Route path={profile}>
            {({ uid, name = "", tab }) => (
              <Profile name={uid === undefined ? name : decode(uid)} tab={tab} />
            )}
          </Route>
          {person && (
            <Route path="/notifications">
              <Notifications />
            </Route>
          )}
          <Route>
            <Rest person={person} />
          </Route>
        </Switch>
      </Frame>
      <Suspense>
        <Overlays />
      </Suspense>
    </>
  );
}
