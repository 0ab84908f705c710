import "../../i18n/quiet";
import "../../styles/quiet.css";
import { useTranslation } from "../../lib/speech";
import { body, hibana, type Schemas, type UserSummary } from "../../lib/api";
import { Top } from "../../ui/Top";
import { Parent } from "../../ui/Parent";
import { began } from "../../lib/shadow";
import { PeopleList } from "../people/PeopleList";
import { hiddenSharers, hideShares } from "../people/people";
import { blocked, bringTies } from "../people/ties";
import { unmute, type Muting } from "./quiet";
import { peopleKeys } from "../people/keys";
import { quietKeys } from "./keys";
import { dateAndTime } from "../../lib/dates";

type Person = UserSummary & { muting: Muting };

const ended = ({ until }: Muting) => until !== null && Date.parse(until) <= Date.now();

/** Whom the reader mutes and blocks, and whose shares are hidden. */
export default function MutedAndBlocked() {
  const { t } = useTranslation("quiet");
  return (
    <>
      <Top title={t("settings.muted")} />
      <div className="settings quiet">
        <Parent />
        <Mutes />
        <Hidden />
        <Blocks />
      </div>
    </>
  );
}

function Mutes() {
  const { t, i18n } = useTranslation("quiet");
  const says = ({ muting }: Person) =>
    t(muting.until === null ? "row.ever" : ended(muting) ? "row.ended" : "row.until", {
      part: t(`row.${muting.part}`),
      when: muting.until === null ? "" : dateAndTime(muting.until, i18n.language),
    });
  return (
    <section>
      <h2>{t("settings.people")}</h2>
      <PeopleList
        name={quietKeys.muteList}
        empty={t("settings.nobody")}
        page={async (pageToken) => {
          const { items, nextPageToken } = await body(
            hibana.GET("/v1/users/me/mutes", { params: { query: { pageToken } } }),
          );
          return { items: items.map(personOf), nextPageToken };
        }}
        note={says}
        button={(user) => {
          const label = t(ended(user.muting) ? "remove" : "unmute");
          return (
            <button
              className="button small"
              aria-label={`${label}: ${user.nickname}`}
              onClick={() => void unmute(user, user.muting)}
            >
              {label}
            </button>
          );
        }}
      />
    </section>
  );
}

const personOf = ({ user, createdAt: _, ...muting }: Schemas["MutedPerson"]): Person => ({
  ...user,
  muting,
});

function Hidden() {
  const { t } = useTranslation(["quiet", "translation"]);
  return (
    <section>
      <h2>{t("settings.hidden")}</h2>
      <PeopleList
        name={peopleKeys.hiddenList}
        empty={t("settings.noHidden")}
        page={async (pageToken) => {
          const { items, nextPageToken } = await hiddenSharers(pageToken);
          return { items: items.map((one) => one.user), nextPageToken };
        }}
        button={(user) => (
          <button
            className="button small"
            aria-label={`${t("translation:people.showShares")}: ${user.nickname}`}
            onClick={() => void hideShares(user, false)}
          >
            {t("settings.show")}
          </button>
        )}
      />
    </section>
  );
}

function Blocks() {
  const { t } = useTranslation("quiet");
  return (
    <section>
      <h2>{t("settings.blocks")}</h2>
      <p className="muted">{t("settings.blocksHint")}</p>
      <PeopleList
        name={quietKeys.blockList}
        empty={t("settings.noBlocks")}
        page={async (pageToken) => {
          const at = began();
          const { items, nextPageToken } = await body(
            hibana.GET("/v1/users/me/blocks", { params: { query: { pageToken, format: "html" } } }),
          );
          items.forEach((one) => bringTies(one.user.id, blocked, at));
          return { items: items.map((one) => one.user), nextPageToken };
        }}
      />
    </section>
  );
}
