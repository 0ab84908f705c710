import "../../i18n/find";
import { useQuery } from "@tanstack/react-query";
import { speech } from "../../lib/speech";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { tell } from "../../lib/failures";
import { bringTies, knowsTies, type Somebody } from "./ties";
import { useMe } from "../../lib/session";
import { began } from "../../lib/shadow";
import { toast } from "../../lib/toast";
import { peopleKeys } from "./keys";

export type Suggestion = Schemas["Suggestion"];

const key = peopleKeys.suggestions;

/**
 * Reads people whom the reader may want to follow. A session asks again after half an hour: the API
 * computes them once a day.
 */
export function useSuggestions() {
  const me = useMe();
  return useQuery({
    queryKey: key,
    enabled: me !== undefined,
    staleTime: 30 * 60_000,
    meta: { keep: false },
    queryFn: async () => {
      const at = began();
      const query = { limit: 10, language: speech.language };
      const { items } = await body(hibana.GET("/v1/suggestions", { params: { query } }));
      // The API suggests nobody whom the reader follows: no button has to ask.
      for (const { user } of items) if (!knowsTies(user.id)) bringTies(user.id, {}, at);
      return items;
    },
  });
}

/** Takes a person out of the suggestions, for good. */
export async function dismiss(user: Somebody): Promise<void> {
  queries.setQueryData<Suggestion[]>(key, (all) => all?.filter((one) => one.user.id !== user.id));
  try {
    await hibana.DELETE("/v1/suggestions/{uid}", { params: { path: { uid: user.id } } });
    toast(speech.t("find:dismissed", { name: user.nickname }));
  } catch (failure) {
    tell(failure);
    void queries.invalidateQueries({ queryKey: key });
  }
}

// A name keeps its own direction in a sentence of another.
const isolate = (text: string) => `\u2068${text}\u2069`;
const list = (names: string[], language: string) =>
  new Intl.ListFormat(language, { style: "narrow", type: "conjunction" }).format(
    names.map(isolate),
  );

/** Says in one sentence why a person is suggested. */
export function why({ followedBy, others, tags, language }: Suggestion["reason"]): string {
  const { t, language: spoken } = speech;
  if (followedBy.length > 0) {
    const names = list(
      followedBy.map((user) => user.nickname),
      spoken,
    );
    return others > 0
      ? t("find:followedByMore", { names, count: others })
      : t("find:followedBy", { names });
  }
  if (tags.length > 0)
    return t("find:tags", {
      tags: list(
        tags.map((tag) => `#${tag}`),
        spoken,
      ),
    });
  return language
    ? t("find:sameLanguage", { language: languageName(language, spoken) })
    : t("find:listed");
}

/** Says which followers of a person the reader follows; empty for none. */
export function familiar({ items, count }: Schemas["FamiliarFollowers"]): string {
  const { t, language } = speech;
  const named = items.slice(0, 2);
  if (named.length === 0) return "";
  const names = list(
    named.map((user) => user.nickname),
    language,
  );
  return count > named.length
    ? t("find:familiarMore", { names, count: count - named.length })
    : t("find:familiar", { names });
}

/** Languages that a person may choose. Others are said by their tags. */
export const languages =
  "ar bn de en es fa fr he hi id it ja ko nl pl pt ru sv sw ta th tr uk ur vi zh".split(" ");

/** The name of a language, in another. */
export function languageName(tag: string, spoken: string): string {
  return new Intl.DisplayNames(spoken, { type: "language" }).of(tag) ?? tag;
}
