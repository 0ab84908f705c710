import "../../styles/links.css";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { body, hibana } from "../../lib/api";
import { host } from "../../lib/foreign";
import { postKeys } from "./keys";

/** The first address of another site in a text that the API rendered as safe HTML. */
const first = (html: string) =>
  new DOMParser()
    .parseFromString(html, "text/html")
    .querySelector('a[href^="http:"], a[href^="https:"]')
    ?.getAttribute("href") ?? "";

/**
 * What the page says of itself to which a text links, if the API knows. Its picture comes with the
 * answer of the API, so its site does not see the reader.
 */
export default function LinkCard({ html }: { html: string }) {
  const url = useMemo(() => first(html), [html]);
  const { data } = useQuery({
    queryKey: postKeys.link(url),
    queryFn: () => body(hibana.GET("/v1/linkCards", { params: { query: { url } } })),
    enabled: url !== "" && url.length <= 1000,
    staleTime: 5 * 60_000,
    retry: false,
  });
  const card = data?.card;
  if (!card) return null;
  const { picture } = card;
  return (
    <a
      className={picture ? "linkcard pictured" : "linkcard"}
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      {picture && (
        <img
          alt=""
          src={`data:${picture.contentType};base64,${picture.data}`}
          width={picture.width}
          height={picture.height}
        />
      )}
      <span>
        <strong dir="auto" lang={card.language}>
          {card.title}
        </strong>
        {card.description && (
          <span className="about" dir="auto" lang={card.language}>
            {card.description}
          </span>
        )}
        <bdi className="muted">{host(url)}</bdi>
      </span>
    </a>
  );
}
