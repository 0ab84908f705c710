import { body, hibana, queries, type Schemas, type User } from "./api";
import { choose } from "./choices";
import { meKey } from "./session";
import { began, bring } from "./shadow";
import { speech } from "./speech";
import { toast } from "./toast";

type Patch = Schemas["UserPatch"];

const path = (me: User) => ({ params: { path: { uid: me.id } } });

/** Changes the reader's profile, and returns it as the API has it then. */
export async function changeMe(me: User, patch: Patch): Promise<User> {
  const at = began();
  const after = await body(hibana.PATCH("/v1/users/{uid}", { ...path(me), body: patch }));
  bring(queries, meKey, after, at);
  return after;
}

/** Chooses a setting of the reader: at once on the page, and back if the API refuses. */
export function chooseMine<K extends keyof User & keyof Patch>(
  me: User,
  field: K,
  to: NonNullable<User[K]>,
  saved: () => void = () => undefined,
): Promise<boolean> {
  return choose(me, field, to, {
    send: (change, sending) =>
      hibana.PATCH("/v1/users/{uid}", { ...path(me), body: change, ...sending }),
    saved: () => {
      saved();
      toast.success(speech.t("settings.saved"), { id: "saved" });
    },
  });
}
