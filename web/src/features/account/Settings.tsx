import "../../i18n/instance";
import "../../i18n/lists";
import "../../i18n/quiet";
import "../../styles/quiet.css";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from "react";
import { useTranslation } from "../../lib/speech";
import { toast } from "../../lib/toast";
import { Link } from "wouter";
import { again, doorSentence } from "./accounts";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { chooseLanguage, type Language } from "../../i18n";
import { Top } from "../../ui/Top";
import { FollowRequests } from "../people/FollowRequests";
import { FindSetting } from "../people/FindSetting";
import { HoldSetting } from "../posts/Hold";
import { MessagesSetting } from "../messages/MessagesSetting";
import { PolicySetting } from "../notifications/PolicySetting";
import { Loading } from "../../ui/states";
import { TagSetting } from "../people/TagSetting";
import { Toggle } from "../../ui/Toggle";
import { choose, useChosen } from "../../lib/choices";
import { changeMe } from "../../lib/me";
import { tellHere, tellNoMore, usePush } from "../../lib/push";
import { keysOn, switchKeys } from "../../lib/keyboard";
import { signOut, useMe, useSession } from "../../lib/session";
import { peopleKeys } from "../people/keys";
import { noticeKeys } from "../notifications/keys";
import { accountKeys } from "./keys";

// An uploaded picture has an address of ours, which nobody types.
const uploaded = (address: string) => /\/media\/[0-9a-f]{24}\//.test(address);

const AccountSection = lazy(() => import("./AccountSection"));
const FieldsSetting = lazy(() => import("../people/FieldsSetting"));
const ProfilePictures = lazy(() => import("../people/ProfilePictures"));
const parts: Record<string, ComponentType> = {
  account: lazy(() => import("./Account")),
  apps: lazy(() => import("../apps/Apps")),
  moving: lazy(() => import("./Moving")),
  decisions: lazy(() => import("../moderation/Decisions")),
  muted: lazy(() => import("../quiet/Muted")),
  filters: lazy(() => import("../quiet/Filters")),
  announcements: lazy(() => import("../instance/Announcements")),
  agent: lazy(() => import("../agents/Agent")),
};

/** What one can choose, take along, and end: a page, and pages of some parts. */
export default function Settings({ part }: { part?: string | undefined }) {
  const { guest, waiting } = useSession();
  const me = useMe();
  const Part = !guest && part ? parts[part] : undefined;
  const coming = (
    <>
      <div className="top" aria-hidden="true" />
      <Loading as="panels" rows={3} />
    </>
  );
  if (Part && waiting) return coming;
  return Part && me ? (
    <Suspense key={part} fallback={coming}>
      <Part />
    </Suspense>
  ) : (
    <Main />
  );
}

function Main() {
  const { t } = useTranslation(["translation", "instance"]);
  const me = useMe();
  const { guest, account, waiting } = useSession();
  const coming = (
    <section>
      <Loading />
    </section>
  );
  return (
    <>
      <Top title={t("settings.title")} />
      <div className="settings">
        {guest && (
          <section>
            <h2>{t("settings.account")}</h2>
            <p>{t("settings.guest")}</p>
            <Link className="button main" href="/sign-up">
              {t("settings.become")}
            </Link>
          </section>
        )}
        {account && <Suspense fallback={coming}>{waiting ? coming : <AccountSection />}</Suspense>}
        {me && <ProfileForm />}
        {me && (
          <Suspense>
            <FieldsSetting />
          </Suspense>
        )}
        {me && <TagSetting />}
        <Appearance />
        {me && (
          <>
            <FollowRequests />
            <HoldSetting />
            <FindSetting />
            <MessagesSetting />
            <Notices />
            <PolicySetting />
            <Quiet />
          </>
        )}
        <section>
          <Link href="/about" className="further">
            <strong>{t("nav.about")}</strong>
            <span className="muted">{t("instance:about.hint")}</span>
            <ChevronRight className="onwards" size={20} aria-hidden="true" />
          </Link>
        </section>
        {me && (
          <>
            <Export />
            <Leave />
          </>
        )}
      </div>
    </>
  );
}

function ProfileForm() {
  const { t } = useTranslation();
  const me = useMe()!;
  const [failure, setFailure] = useState("");
  // The form may begin with a profile that was kept, and the present one come later: what nobody
  // touched is not sent.
  const [begun, begin] = useState(me);
  const [touched, touch] = useState<{ blockStrangers?: boolean; locked?: boolean }>({});
  const present = { blockStrangers: me.blockStrangers, locked: me.locked ?? false };
  const switches = { ...present, ...touched };
  const save = async (form: FormData) => {
    setFailure("");
    const text = (name: string) => typed(form, name);
    const wanted = {
      username: text("username").toLowerCase(),
      nickname: text("nickname"),
      introduction: text("introduction"),
      avatar: text("avatar") || (uploaded(begun.avatar) ? begun.avatar : ""),
      ...switches,
    };
    const before = { ...begun, ...present };
    // Only what changed: a name can be changed a few times a day.
    const patch = Object.fromEntries(
      Object.entries(wanted).filter(
        ([key, value]) => value !== (before[key as keyof typeof wanted] ?? ""),
      ),
    );
    if (Object.keys(patch).length === 0) return;
    try {
      const after = await changeMe(me, patch);
      begin(after);
      touch({});
      void queries.invalidateQueries({ queryKey: peopleKeys.users });
      toast.success(t("settings.saved"));
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (location.hash === "#profile") section.current?.scrollIntoView();
  }, []);
  return (
    <section ref={section} style={{ scrollMarginTop: "calc(var(--bar) + var(--space-4))" }}>
      <h2>{t("settings.profile")}</h2>
      <Suspense fallback={<div style={{ minHeight: "13rem" }} />}>
        <ProfilePictures me={me} />
      </Suspense>
      <form
        onSubmit={(event) => (event.preventDefault(), void save(new FormData(event.currentTarget)))}
      >
        <label className="field">
          <span>{t("settings.nickname")}</span>
          <input className="input" name="nickname" defaultValue={begun.nickname} maxLength={50} />
        </label>
        <label className="field">
          <span>{t("settings.username")}</span>
          <input
            className="input"
            name="username"
            defaultValue={begun.username}
            required
            minLength={3}
            maxLength={20}
            pattern="[A-Za-z0-9_]+"
          />
        </label>
        <label className="field">
          <span>{t("settings.introduction")}</span>
          <textarea
            className="input"
            name="introduction"
            rows={4}
            defaultValue={begun.introduction ?? ""}
            maxLength={65535}
          />
          <small>{t("settings.introductionHint")}</small>
        </label>
        <label className="field">
          <span>{t("settings.avatar")}</span>
          <input
            className="input"
            name="avatar"
            type="url"
            pattern="https://.*"
            defaultValue={uploaded(begun.avatar) ? "" : begun.avatar}
          />
          <small>{t("settings.avatarHint")}</small>
        </label>
        <Toggle
          label={t("settings.blockStrangers")}
          on={switches.blockStrangers}
          onChange={(blockStrangers) => touch({ ...touched, blockStrangers })}
        />
        <Toggle
          label={t("settings.locked")}
          on={switches.locked}
          onChange={(locked) => touch({ ...touched, locked })}
        />
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button main">{t("settings.save")}</button>
      </form>
    </section>
  );
}

function Appearance() {
  const { t, i18n } = useTranslation();
  const [theme, setTheme] = useState(document.documentElement.dataset["theme"] ?? "system");
  const choose = (chosen: string) => {
    if (chosen === "system") {
      delete document.documentElement.dataset["theme"];
      localStorage.removeItem("hibana.theme");
    } else {
      document.documentElement.dataset["theme"] = chosen;
      localStorage.setItem("hibana.theme", chosen);
    }
    setTheme(chosen);
  };
  const [keys, setKeys] = useState(keysOn);
  const turnKeys = (on: boolean) => {
    switchKeys(on);
    setKeys(on);
  };
  return (
    <section>
      <h2>{t("settings.appearance")}</h2>
      <label className="field">
        <span>{t("settings.language")}</span>
        <select
          className="input"
          value={i18n.language}
          onChange={(event) => void chooseLanguage(event.target.value as Language)}
        >
          <option value="en" lang="en">
            English
          </option>
          <option value="ja" lang="ja">
            日本語
          </option>
        </select>
      </label>
      <label className="field">
        <span>{t("settings.theme")}</span>
        <select className="input" value={theme} onChange={(event) => choose(event.target.value)}>
          <option value="system">{t("settings.system")}</option>
          <option value="light">{t("settings.light")}</option>
          <option value="dark">{t("settings.dark")}</option>
        </select>
      </label>
      <Toggle label={t("settings.keys")} on={keys} onChange={turnKeys} />
    </section>
  );
}

const kinds = [
  "follow",
  "followRequest",
  "like",
  "share",
  "quote",
  "reply",
  "mention",
  "edit",
  "poll",
  "post",
  "order",
] as const satisfies (keyof Schemas["SettingsPatch"])[];

function Notices() {
  const { t } = useTranslation();
  const key = noticeKeys.settings;
  const push = usePush();
  const settings = useChosen(
    useQuery({
      queryKey: key,
      queryFn: async () => ({
        ...(await body(hibana.GET("/v1/users/me/settings/notifications", {}))),
        id: "noticeSettings",
      }),
    }).data,
  );
  const set = (kind: (typeof kinds)[number], on: boolean) =>
    settings &&
    choose(settings, kind, on, {
      send: (change, sending) =>
        hibana.PATCH("/v1/users/me/settings/notifications", { body: change, ...sending }),
    });
  return (
    <section>
      <h2>{t("settings.told")}</h2>
      {push.data?.key && (
        <Toggle
          label={t("settings.push")}
          on={push.data.on}
          onChange={(on) => void (on ? tellHere(push.data.key!) : tellNoMore()).catch(tell)}
        />
      )}
      {push.data?.lacking && <p className="muted">{t("settings.noPush")}</p>}
      {kinds.map((kind) => (
        <Toggle
          key={kind}
          label={t(`settings.${kind}`)}
          on={settings?.[kind] ?? true}
          disabled={!settings}
          onChange={(on) => void set(kind, on)}
        />
      ))}
    </section>
  );
}

/** The ways to the pages of what the reader does not want to see. */
function Quiet() {
  const { t } = useTranslation(["quiet", "lists", "small"]);
  return (
    <section>
      <h2>{t("settings.title")}</h2>
      {(["muted", "filters"] as const).map((page) => (
        <Link key={page} href={`/settings/${page}`} className="further">
          <strong>{t(`settings.${page}`)}</strong>
          <span className="muted">{t(`settings.${page}Hint`)}</span>
          <ChevronRight className="onwards" size={20} aria-hidden="true" />
        </Link>
      ))}
      <Link href="/lists" className="further">
        <strong>{t("lists:title")}</strong>
        <span className="muted">{t("lists:hint")}</span>
        <ChevronRight className="onwards" size={20} aria-hidden="true" />
      </Link>
      <Link href="/settings/announcements" className="further">
        <strong>{t("small:announcements.title")}</strong>
        <span className="muted">{t("small:announcements.hint")}</span>
        <ChevronRight className="onwards" size={20} aria-hidden="true" />
      </Link>
    </section>
  );
}

function Export() {
  const { t } = useTranslation();
  const key = accountKeys.export;
  const [password, setPassword] = useState("");
  const made = useQuery({
    queryKey: key,
    meta: { keep: false }, // the links open to whoever has them
    refetchInterval: ({ state }) => (state.data?.state === "writing" ? 3000 : false),
    queryFn: async () => {
      const query = { ifAny: true };
      return (
        (await body<Schemas["Export"] | undefined>(
          hibana.GET("/v1/users/me/export", { params: { query } }),
        )) ?? null
      );
    },
  });
  const ask = async () => {
    try {
      queries.setQueryData(key, await body(hibana.POST("/v1/users/me/export", {})));
    } catch (failure) {
      tell(failure);
    }
  };
  const signAgain = async () => {
    try {
      await again(password);
      setPassword("");
      await made.refetch();
    } catch (failure) {
      toast.error(doorSentence(failure));
    }
  };
  const one = made.data;
  return (
    <section>
      <h2>{t("settings.export")}</h2>
      <p className="muted">{t("settings.exportHint")}</p>
      {one?.state === "writing" && <p role="status">{t("settings.exportWriting")}</p>}
      {one?.state === "failed" && <p role="status">{t("settings.exportFailed")}</p>}
      {one?.state === "ready" && <p role="status">{t("settings.exportReady")}</p>}
      {one?.archives.map((archive, n) => (
        <a key={archive.url} className="button" href={archive.url} download>
          {t("settings.exportDownload", { number: n + 1 })}
        </a>
      ))}
      {one?.signInAgain && (
        <form onSubmit={(event) => (event.preventDefault(), void signAgain())}>
          <label className="field">
            <span>{t("settings.exportAgain")}</span>
            <input
              className="input"
              type="password"
              autoComplete="current-password"
              required
              placeholder={t("settings.password")}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </label>
          <button className="button">{t("sign.in")}</button>
        </form>
      )}
      {(!one || one.state === "failed") && (
        <button className="button" onClick={() => void ask()}>
          {t("settings.exportAsk")}
        </button>
      )}
    </section>
  );
}

function Leave() {
  const { t } = useTranslation();
  const me = useMe()!;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState("");
  const leave = async () => {
    setFailure("");
    try {
      await again(password);
    } catch (problem) {
      return setFailure(doorSentence(problem));
    }
    try {
      await hibana.DELETE("/v1/users/me", {});
      toast(t("settings.left"));
      await signOut();
    } catch (problem) {
      setFailure(sentence(problem));
    }
  };
  return (
    <section>
      <h2>{t("settings.leave")}</h2>
      <p className="muted">{t("settings.leaveHint")}</p>
      <form onSubmit={(event) => (event.preventDefault(), void leave())}>
        <label className="field">
          <span>{t("settings.leaveConfirm")}</span>
          <input
            className="input"
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{t("settings.password")}</span>
          <input
            className="input"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className="button danger" disabled={name !== me.username || password === ""}>
          {t("settings.leaveNow")}
        </button>
      </form>
    </section>
  );
}
