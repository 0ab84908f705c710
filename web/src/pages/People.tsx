import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { body, hibana } from "../api";
import { Top } from "../parts/Frame";
import { PeopleList } from "../parts/PeopleList";
import { useUser } from "../people";

/** Who follows a person, and whom the person follows. */
export default function People({ uid, list }: { uid: string; list: "followers" | "following" }) {
  const { t } = useTranslation();
  const user = useUser(uid);
  return (
    <>
      <Top title={user.data?.nickname ?? ""} />
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
        name={[list, uid]}
        page={async (pageToken) => {
          const params = { params: { path: { uid }, query: { pageToken } } };
          const { items, nextPageToken } = await body(
            list === "followers"
              ? hibana.GET("/v1/users/{uid}/followers", params)
              : hibana.GET("/v1/users/{uid}/following", params),
          );
          return { items: items.map((person) => person.user), nextPageToken };
        }}
      />
    </>
  );
}
