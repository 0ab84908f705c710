import "../../i18n/small";
import "../../styles/small.css";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, named } from "../../lib/api";
import { show } from "../../lib/overlays";
import FollowButton from "./FollowButton";
import { Top } from "../../ui/Top";
import { PeopleList } from "./PeopleList";
import { useUser } from "./people";
import { useMe } from "../../lib/session";
import { peopleKeys } from "./keys";

/** Who follows a person, and whom the person follows. */
export default function People({ uid, list }: { uid: string; list: "followers" | "following" }) {
  const { t } = useTranslation(["translation", "small"]);
  const user = useUser(uid);
  const mine = useMe()?.id === uid && list === "followers";
  return (
    <>
      <Top
        title={user.data?.nickname ?? ""}
        called={
          user.data &&
          `${t(list === "followers" ? "people.followers" : "people.followed")}: ${named(user.data)}`
        }
      />
      <nav className="tabs" aria-label={t("explore.people")}>
        {(["followers", "following"] as const).map((one) => (
          <Link
            key={one}
            href={`/users/${uid}/${one}`}
            replace
            aria-current={one === list ? "page" : undefined}
          >
            {t(one === "followers" ? "people.followers" : "people.followed")}
          </Link>
        ))}
      </nav>
      <PeopleList
        name={peopleKeys.follow(list, uid)}
        page={async (pageToken) => {
          const query = { pageToken, format: "html" } as const;
          const params = { params: { path: { uid }, query } };
          const { items, nextPageToken } = await body(
            list === "followers"
              ? hibana.GET("/v1/users/{uid}/followers", params)
              : hibana.GET("/v1/users/{uid}/following", params),
          );
          return { items: items.map((person) => person.user), nextPageToken };
        }}
        {...(mine && {
          button: (person) => (
            <span className="twobuttons">
              <FollowButton user={person} />
              <button
                className="button small"
                aria-label={t("small:remove.of", { name: person.nickname })}
                onClick={() => show({ kind: "hush", how: "remove", user: person })}
              >
                {t("small:remove.short")}
              </button>
            </span>
          ),
        })}
      />
    </>
  );
}
