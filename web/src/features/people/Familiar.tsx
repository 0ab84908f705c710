import { useQuery } from "@tanstack/react-query";
import { body, hibana, type User } from "../../lib/api";
import { familiar } from "./find";
import { peopleKeys } from "./keys";

/** Says on a profile which of its followers the reader follows; nothing for none. */
export function Familiar({ user }: { user: User }) {
  const { data } = useQuery({
    queryKey: peopleKeys.familiar(user.id),
    staleTime: 10 * 60_000,
    meta: { keep: false },
    queryFn: () =>
      body(hibana.GET("/v1/users/{uid}/familiarFollowers", { params: { path: { uid: user.id } } })),
  });
  const sentence = data && familiar(data);
  return sentence ? <p className="muted">{sentence}</p> : null;
}
