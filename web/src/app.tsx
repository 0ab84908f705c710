import { lazy, Suspense, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Frame } from "./parts/Frame";
import { Overlays } from "./parts/Overlays";
import { Empty, Failed, Loading, Unseen } from "./parts/states";
import Home from "./pages/Home";
import { useSession } from "./session";

const Admin = lazy(() => import("./pages/Admin"));
const Bookmarks = lazy(() => import("./pages/Bookmarks"));
const Cart = lazy(() => import("./pages/Cart"));
const Drafts = lazy(() => import("./pages/Drafts"));
const Explore = lazy(() => import("./pages/Explore"));
const Find = lazy(() => import("./pages/Find"));
const Held = lazy(() => import("./pages/Held"));
const Messages = lazy(() => import("./pages/Messages"));
const Lists = lazy(() => import("./pages/Lists"));
const List = lazy(() => import("./pages/List"));
const Notifications = lazy(() => import("./pages/Notifications"));
const Order = lazy(() => import("./pages/Order"));
const Orders = lazy(() => import("./pages/Orders"));
const People = lazy(() => import("./pages/People"));
const Product = lazy(() => import("./pages/Product"));
const Profile = lazy(() => import("./pages/Profile"));
const Settings = lazy(() => import("./pages/Settings"));
const Shop = lazy(() => import("./pages/Shop"));
const Tag = lazy(() => import("./pages/Tag"));
const Thread = lazy(() => import("./pages/Thread"));
const Quotes = lazy(() => import("./pages/Quotes"));
const Begin = lazy(() => import("./pages/Begin"));
const Door = lazy(() => import("./pages/Door"));

/** The page for each address. */
export function App() {
  const { state, guest, me } = useSession();
  const { t } = useTranslation();
  const [path] = useLocation();
  useLayoutEffect(() => {
    // A page begins at its top; a list that was left and the page of a reply set their own place
    // after that.
    scrollTo(0, 0);
  }, [path, state]);
  if (state === "failed") return <Failed failure={undefined} again={() => location.reload()} />;
  if (state === "loading")
    return (
      <Frame>
        <Loading />
      </Frame>
    );
  if (state === "in" && !guest && me === null)
    return (
      <Suspense fallback={<Unseen />}>
        <Begin />
      </Suspense>
    );
  const alone = path === "/sign-in" || path === "/sign-up" || (path === "/" && state === "out");
  if (alone)
    return (
      <Suspense fallback={<Unseen />}>
        <Door up={path === "/sign-up"} />
        <Overlays />
      </Suspense>
    );
  const person = !guest;
  return (
    <>
      <Frame>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/">{person ? <Home /> : <Redirect to="/explore" />}</Route>
            <Route path="/explore">
              <Explore />
            </Route>
            <Route path="/tags/:tag">{({ tag }) => <Tag key={tag} tag={decode(tag)} />}</Route>
            <Route path="/tweets/:id">{({ id }) => <Thread key={id} id={id} />}</Route>
            <Route path="/tweets/:id/quotes">{({ id }) => <Quotes key={id} id={id} />}</Route>
            <Route path="/people/find">
              <Find />
            </Route>
            <Route path="/users/:uid/lists/:id">
              {({ uid, id }) => <List key={id} uid={decode(uid)} id={id} />}
            </Route>
            <Route path="/users/:uid/lists">
              {({ uid }) => <Lists key={uid} uid={decode(uid)} />}
            </Route>
            <Route path="/users/:uid/:list">
              {({ uid, list }) =>
                list === "followers" || list === "following" ? (
                  <People key={uid + list} uid={decode(uid)} list={list} />
                ) : (
                  <Profile key={uid} name={decode(uid)} tab={list} />
                )
              }
            </Route>
            <Route path="/users/:uid">
              {({ uid }) => <Profile key={uid} name={decode(uid)} />}
            </Route>
            {person && (
              <Route path="/notifications">
                <Notifications />
              </Route>
            )}
            {person && (
              <Route path="/messages/:id?">{({ id }) => <Messages key={id} id={id} />}</Route>
            )}
            {person && (
              <Route path="/lists">
                <Lists />
              </Route>
            )}
            {person && (
              <Route path="/drafts">
                <Drafts />
              </Route>
            )}
            {person && (
              <Route path="/held">
                <Held />
              </Route>
            )}
            {person && (
              <Route path="/bookmarks">
                <Bookmarks />
              </Route>
            )}
            <Route path="/shop">
              <Shop />
            </Route>
            <Route path="/shop/:id">{({ id }) => <Product key={id} id={id} />}</Route>
            <Route path="/cart">
              <Cart />
            </Route>
            {person && (
              <Route path="/orders">
                <Orders />
              </Route>
            )}
            {person && <Route path="/orders/:id">{({ id }) => <Order key={id} id={id} />}</Route>}
            {person && (
              <Route path="/admin/:part?/:id?">
                {({ part, id }) => <Admin part={part} {...(id ? { id } : {})} />}
              </Route>
            )}
            <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
            {!person && (
              <Route path="/:rest*">
                <Redirect to="/sign-in" />
              </Route>
            )}
            <Route>{<Empty title={t("state.noPage")} hint={t("state.noPageHint")} />}</Route>
          </Switch>
        </Suspense>
      </Frame>
      <Overlays />
    </>
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
