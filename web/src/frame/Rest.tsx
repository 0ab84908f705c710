import "../i18n/later";
import { useSession } from "../lib/session";
import { lazy } from "react";
import { Redirect, Route, Switch } from "wouter";
import { NoPage } from "../ui/states";
import { decode } from "../lib/paths";

const About = lazy(() => import("../features/instance/About"));
const Admin = lazy(() => import("../features/admin/Admin"));
const Bookmarks = lazy(() => import("../features/posts/Bookmarks"));
const Cart = lazy(() => import("../features/shop/Cart"));
const Drafts = lazy(() => import("../features/posts/Drafts"));
const Find = lazy(() => import("../features/people/Find"));
const Held = lazy(() => import("../features/posts/Held"));
const List = lazy(() => import("../features/lists/List"));
const Lists = lazy(() => import("../features/lists/Lists"));
const Messages = lazy(() => import("../features/messages/Messages"));
const NotificationRequests = lazy(() => import("../features/notifications/NotificationRequests"));
const Order = lazy(() => import("../features/shop/Order"));
const Orders = lazy(() => import("../features/shop/Orders"));
const People = lazy(() => import("../features/people/People"));
const Product = lazy(() => import("../features/shop/Product"));
const Profile = lazy(() => import("../features/people/Profile"));
const Quotes = lazy(() => import("../features/posts/Quotes"));
const Settings = lazy(() => import("../features/account/Settings"));
const Shop = lazy(() => import("../features/shop/Shop"));
const Tag = lazy(() => import("../features/explore/Tag"));

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
      <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
      {!person && (
        <Route path="/:rest*">
          <Redirect to="/sign-in" />
        </Route>
      )}
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
