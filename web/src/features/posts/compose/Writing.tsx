import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "../../../lib/speech";
import { body, hibana } from "../../../lib/api";
import { useGrowing } from "../../../lib/growing";
import { useLater } from "../../../lib/later";
import { asksElsewhere } from "../../../lib/paths";
import { useMe } from "../../../lib/session";
import { postKeys } from "../keys";
import { exploreKeys } from "../../explore/keys";
import { typedWord } from "./typed";

/** The text area, which completes tags and names. */
export function Writing({
  area,
  value,
  sending,
  onChange,
  onSend,
}: {
  area: React.RefObject<HTMLTextAreaElement | null>;
  value: string;
  /** What is typed while the text is sent would be lost. */
  sending: boolean;
  onChange: (value: string) => void;
  onSend: () => void;
}) {
  const { t } = useTranslation();
  const me = useMe();
  const list = useId();
  const [word, setWord] = useState("");
  const [at, setAt] = useState(0);
  const begin = useEffectEvent(() => {
    const field = area.current;
    field?.focus();
    field?.setSelectionRange(value.length, value.length);
  });
  useEffect(() => begin(), []);
  useGrowing(area, value);
  const own = useQuery({
    queryKey: postKeys.ownTags(me?.id),
    enabled: Boolean(me) && word.startsWith("#"),
    staleTime: 5 * 60_000,
    queryFn: () =>
      body(
        hibana.GET("/v1/users/{uid}/tags", {
          params: { path: { uid: me!.id }, query: { pageSize: 50 } },
        }),
      ),
  });
  const popular = useQuery({
    queryKey: exploreKeys.popularTags,
    enabled: word.startsWith("#"),
    staleTime: 5 * 60_000,
    queryFn: () => body(hibana.GET("/v1/tags", { params: { query: { pageSize: 50 } } })),
  });
  // Another server is asked for a whole handle, of which there may be only a few, so that it waits
  // for a pause.
  const whole = asksElsewhere(word);
  const paused = useLater(word, 600) === word;
  const people = useQuery({
    queryKey: postKeys.complete(word),
    enabled: word.startsWith("@") && word.length > 1 && (!whole || paused),
    staleTime: 60_000,
    meta: { keep: false },
    queryFn: () =>
      body(
        hibana.GET("/v1/search/users", {
          params: { query: { q: word.slice(1), resolve: whole || undefined, pageSize: 5 } },
        }),
      ),
  });
  const found = word.startsWith("#")
    ? [
        ...new Map(
          [...(own.data?.items ?? []), ...(popular.data?.items ?? [])].map((tag) => [
            tag.name,
            tag,
          ]),
        ).values(),
      ]
        .filter((tag) => tag.name.startsWith(word.slice(1).toLowerCase()))
        .slice(0, 5)
        .map((tag) => ({ text: `#${tag.content}`, hint: String(tag.tweetCount) }))
    : (people.data?.items ?? []).map((user) => ({
        text: `@${user.username}`,
        hint: user.nickname,
      }));
  const offered = word.length > 1 || word === "#" ? found : [];

  const look = (field: HTMLTextAreaElement) => {
    setWord(typedWord(field.value.slice(0, field.selectionStart)));
    setAt(0);
  };
  const take = (text: string) => {
    const field = area.current!;
    const caret = field.selectionStart;
    const begin = caret - word.length;
    onChange(`${value.slice(0, begin)}${text} ${value.slice(caret)}`);
    setWord("");
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(begin + text.length + 1, begin + text.length + 1);
    });
  };
  return (
    <div className="field-text">
      <textarea
        ref={area}
        value={value}
        readOnly={sending}
        placeholder={t("compose.placeholder")}
        aria-label={t("compose.title")}
        rows={4}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${list}-${at}` : undefined}
        onChange={(event) => (onChange(event.target.value), look(event.target))}
        onClick={(event) => look(event.currentTarget)}
        onBlur={() => setTimeout(() => setWord(""), 150)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            return (event.preventDefault(), onSend());
          if (offered.length === 0 || event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            setAt((at + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
          } else if (event.key === "Enter" || event.key === "Tab") {
            event.preventDefault();
            take(offered[at]!.text);
          } else if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            setWord("");
          }
        }}
      />
      <ul
        className={offered.length > 0 ? "complete" : ""}
        id={list}
        role="listbox"
        aria-label={t("compose.tags")}
      >
        {offered.map((offer, n) => (
          <li
            key={offer.text}
            id={`${list}-${n}`}
            role="option"
            aria-selected={n === at}
            onMouseDown={(event) => (event.preventDefault(), take(offer.text))}
          >
            <strong>{offer.text}</strong>
            <span className="muted">{offer.hint}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
