import "../../styles/instance.css";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { Top } from "../../ui/Top";
import { Failed, Loading } from "../../ui/states";
import { Terms, Text } from "./Terms";
import { useInstance, type Instance } from "./instance";

/** What this server says of itself, for everybody. */
export default function About() {
  const { t } = useTranslation("instance");
  const { data, error, refetch } = useInstance();
  return (
    <>
      <Top title={t("about.title")} />
      {data ? (
        <Facts of={data} />
      ) : error ? (
        <Failed failure={error} again={() => void refetch()} />
      ) : (
        <Loading rows={3} />
      )}
    </>
  );
}

function Facts({ of }: { of: Instance }) {
  const { t, i18n } = useTranslation("instance");
  const { email, userId } = of.contact;
  const names = new Intl.DisplayNames([i18n.language], { type: "language" });
  return (
    <div className="settings">
      <section>
        <h2 dir="auto">{of.name || "Hibana 火花"}</h2>
        {of.description && <Text html={of.descriptionHtml} text={of.description} />}
      </section>
      <section>
        <h2>{t("about.rules")}</h2>
        {of.rules.length === 0 && <p className="muted">{t("about.noRules")}</p>}
        <ol className="instancerules">
          {of.rules.map((rule, n) => (
            <li key={n}>
              <bdi>{rule}</bdi>
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>{t("about.contact")}</h2>
        {!email && !userId && <p className="muted">{t("about.noContact")}</p>}
        {email && (
          <p className="instancepart">
            <a className="linklike" href={`mailto:${email}`} dir="ltr">
              {email}
            </a>
          </p>
        )}
        {userId && (
          <p>
            <Link className="linklike" href={`/users/${encodeURIComponent(userId)}`}>
              {t("about.profile")}
            </Link>
          </p>
        )}
      </section>
      {of.languages.length > 0 && (
        <section>
          <h2>{t("about.languages")}</h2>
          <p>{of.languages.map((tag) => named(names, tag)).join(" · ")}</p>
        </section>
      )}
      <section id="terms">
        <h2>{t("terms.title")}</h2>
        {of.terms ? <Terms of={of.terms} /> : <p className="muted">{t("terms.none")}</p>}
      </section>
      <section>
        <h2>{t("about.limits")}</h2>
        <dl className="instancefacts">
          {limits.map((name) => (
            <Limit key={name} name={name} most={of.limits[name]} />
          ))}
        </dl>
        <p className="muted">{t("about.version", { version: of.version })}</p>
      </section>
    </div>
  );
}

const limits = [
  "content",
  "media",
  "mediaAlt",
  "imageBytes",
  "videoBytes",
  "pollOptions",
  "message",
  "conversationMembers",
  "nickname",
  "introduction",
  "lists",
  "filters",
] as const satisfies (keyof Instance["limits"])[];

function Limit({ name, most }: { name: (typeof limits)[number]; most: number }) {
  const { t, i18n } = useTranslation("instance");
  const bytes = name.endsWith("Bytes");
  return (
    <>
      <dt>{t(`about.limit.${name}`)}</dt>
      <dd>
        {bytes
          ? new Intl.NumberFormat(i18n.language, {
              style: "unit",
              unit: "megabyte",
              maximumFractionDigits: 1,
            }).format(most / 1024 / 1024)
          : most.toLocaleString(i18n.language)}
      </dd>
    </>
  );
}

function named(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag; // a tag that this browser does not know
  }
}
