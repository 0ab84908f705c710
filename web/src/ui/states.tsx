import { WifiOff } from "lucide-react";
import { Component, useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "../lib/speech";
import { Link } from "wouter";
import { useUndrawn } from "../lib/drawn";
import { HibanaError, queries } from "../lib/api";
import { sentence } from "../lib/failures";
import { useOnline } from "../lib/network";
import { useTitle } from "../lib/title";
import { Spark } from "./Spark";

// The lines of a row that waits, in percent of its width.
const lines = {
  tweets: [35, 100, 70, 55],
  people: [35, 20],
  talks: [30, 70],
  told: [8, 60],
  panels: [30, 80],
};

/**
 * Rows that wait, in the form of what comes: in settings they are words and have no pictures. children
 * stand before them.
 */
export function Loading({
  rows = 5,
  as = "tweets",
  children,
}: {
  rows?: number;
  as?: keyof typeof lines;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  useUndrawn();
  return (
    <div role="status" className={as === "panels" ? "loading settings" : `loading as-${as}`}>
      <span className="hidden">{t("state.loading")}</span>
      {children}
      {Array.from({ length: rows }, (_, n) => (
        <div className="skeleton" key={n} aria-hidden="true">
          <i className="face" />
          <div>
            {lines[as].map((width) => (
              <i key={width} style={{ width: `${width}%` }} />
            ))}
          </div>
          {as === "people" && <i className="tail" />}
        </div>
      ))}
    </div>
  );
}

/** A page whose scripts are on their way: its bar and rows. */
export const Coming = () => (
  <>
    <div className="top" aria-hidden="true" />
    <Loading />
  </>
);

/** Nothing, in the place of a page whose scripts are on their way. */
export function Unseen() {
  useUndrawn();
  return null;
}

export function Empty({
  title,
  hint,
  children,
  page = false,
}: {
  title: string;
  hint?: string;
  children?: ReactNode;
  /** Whether it is all that the page has. */
  page?: boolean;
}) {
  const Heading = page ? "h1" : "h2";
  return (
    <div className="empty">
      <Spark />
      <Heading>{title}</Heading>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

/** What stands at an address that leads nowhere. */
export function NoPage() {
  const { t } = useTranslation();
  useTitle(t("state.noPage"));
  return (
    <Empty page title={t("state.noPage")} hint={t("state.noPageHint")}>
      <Link className="button" href="/explore">
        {t("nav.explore")}
      </Link>
    </Empty>
  );
}

/**
 * A failure in the place of what did not load: what may come by another attempt, what was never
 * read here and waits for a network, and what will never come.
 */
export function Failed({ failure, again }: { failure: unknown; again?: () => void }) {
  const { t } = useTranslation();
  const online = useOnline();
  const never = failure instanceof HibanaError && [403, 404, 410].includes(failure.status);
  return (
    <div className="empty" role="alert">
      <Spark />
      <h2>{t(never ? "state.nothing" : online ? "state.failed" : "state.unread")}</h2>
      <p>{online || never ? sentence(failure) : t("state.whenOnline")}</p>
      {never && (
        <Link className="button" href="/explore">
          {t("state.elsewhere")}
        </Link>
      )}
      {again && !never && (
        <button className="button" onClick={again}>
          {t("state.again")}
        </button>
      )}
    </div>
  );
}

/** Says that there is no network, and that what is shown is from before. */
export function Offline() {
  const { t } = useTranslation();
  return (
    <div role="status">
      {!useOnline() && (
        <p className="notice">
          <WifiOff size={16} aria-hidden="true" />
          {t("state.offline")}
        </p>
      )}
    </div>
  );
}

// stale finds what is on the page, was read before, and could not be read again.
const stale = () =>
  queries.getQueryCache().findAll({
    type: "active",
    predicate: ({ state }) =>
      state.status === "error" && state.data !== undefined && !state.fetchMeta?.fetchMore,
  });
const subscribe = (hear: () => void) => queries.getQueryCache().subscribe(hear);
const firstStale = () => stale()[0]?.state.error;

/** Says why what is shown is from before, and offers to read it again. */
export function Stale() {
  const { t } = useTranslation();
  const failure = useSyncExternalStore(subscribe, firstStale);
  if (!useOnline() || !failure) return null;
  return (
    <p className="notice" role="alert">
      <span>
        {t("state.before")} {sentence(failure)}
      </span>
      <button
        className="linklike"
        onClick={() => stale().forEach((query) => void query.fetch().catch(() => undefined))}
      >
        {t("state.again")}
      </button>
    </p>
  );
}

/** Keeps a fault of one page from taking the others away. */
export class Guard extends Component<
  { children: ReactNode; title: string; reload: string },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="crash" role="alert">
        <h1>{this.props.title}</h1>
        <button className="button main" onClick={() => location.reload()}>
          {this.props.reload}
        </button>
      </div>
    );
  }
}
