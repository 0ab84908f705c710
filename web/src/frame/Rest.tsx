import "../i18n/later";
import { useEffect } from "react";
import { noteReturn } from "../lib/returning";
import { useSession } from "../lib/session";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { NoPage } from "../ui/states";
import { page } from "../ui/page";
import { decode } from "../lib/paths";

const About = page(() => import("../features/instance/About"));
const Admin = page(() => import("../features/admin/Admin"));
const Authorize = page(() => import("../features/apps/Authorize"));
const Bookmarks = page(() => import("../features/posts/Bookmarks"));
const Cart = page(() => import("../features/shop/Cart"));
const Drafts = page(() => import("../features/posts/Drafts"));
const Find = page(() => import("../features/people/Find"));
const Held = page(() => import("../features/posts/Held"));
const List = page(() => import("../features/lists/List"));
const Lists = page(() => import("../features/lists/Lists"));
const Messages = page(() => import("../features/messages/Messages"));
const NotificationRequests = page(() => import("../features/notifications/NotificationRequests"));
const Order = page(() => import("../features/shop/Order"));
const Orders = page(() => import("../features/shop/Orders"));
const People = page(() => import("../features/people/People"));
const Product = page(() => import("../features/shop/Product"));
const Profile = page(() => import("../features/people/Profile"));
const Quotes = page(() => import("../features/posts/Quotes"));
const Settings = page(() => import("../features/account/Settings"));
const Shop = page(() => import("../features/shop/Shop"));
const Tag = page(() => import("../features/explore/Tag"));

/** Leads a visitor to the sign-in, and then back to the page that was asked for. */
function SignIn() {
  const { ended } = useSession();
  const [, go] = useLocation();
  useEffect(() => {
    if (!ended) noteReturn(); // else session.tsx has noted whose page it was
    go("/sign-in", { replace: true });
  }, [ended, go]);
  return null;
}

/** The page for each address that is not looked up first: app.tsx has the others. */
export default function Rest({ person }: { person: boolean }) {
  const { state } = useSession();
  return (
    <Switch>
      <Route path="/about">
        <About />
      </Route>
      <Route path="/tags/:tag">{({ tag }) => <Tag key={tag} tag={decode(tag)} />}</Route>
      <Route path="/tweets/:id/quotes">{({ id }) => <Quotes key={id} id={id} />}</Route>
      <Route path="/people/find">
        <Find />
      </Route>
      <Route path="/users/:uid/lists/:id">
        {({ uid, id }) => <List key={id} uid={decode(uid)} id={id} />}
      </Route>
      <Route path="/users/:uid/lists">{({ uid }) => <Lists key={uid} uid={decode(uid)} />}</Route>
      <Route path="/users/:uid/:list">
        {({ uid, list }) =>
          list === "followers" || list === "following" ? (
            <People key={uid + list} uid={decode(uid)} list={list} />
          ) : (
            <Profile key={uid} name={decode(uid)} tab={list} />
          )
        }
      </Route>
      {person && <Route path="/messages/:id?">{({ id }) => <Messages key={id} id={id} />}</Route>}
      {person && (
        <Route path="/lists">
          <Lists />
        </Route>
      )}
      <Route path="/oauth/authorize">{person ? <Authorize /> : <SignIn />}</Route>
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
        <Route path="/notifications/requests">
          <NotificationRequests />
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
      {state === "in" && (
        <Route path="/orders">
          <Orders />
        </Route>
      )}
      {state === "in" && <Route path="/orders/:id">{({ id }) => <Order key={id} id={id} />}</Route>}
      {person && (
        <Route path="/admin/:part?/:id?">
          {({ part, id }) => <Admin part={part} {...(id ? { id } : {})} />}
        </Route>
      )}
      {/* Apps for Mastodon lead to these. */}
      <Route path="/auth/edit">
        <Redirect to="/settings/account" replace />
      </Route>
      <Route path="/settings/preferences/*">
        <Redirect to="/settings" replace />
      </Route>
      <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
      {!person && (
        <Route path="/:rest*">
          <SignIn />
        </Route>
      )}
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
