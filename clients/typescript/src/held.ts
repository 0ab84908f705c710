import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** A reply became no tweet: it waits for the approval of the author of the thread's first tweet. */
export class HeldReplyError extends Error {
  override readonly name = "HeldReplyError";

  constructor(readonly notice: Schemas["HeldNotice"]) {
    super("the reply waits for approval");
  }
}

/** The tweet of an answer to a request that posts. Throws a HeldReplyError for a reply that waits. */
export function posted(answer: Schemas["Tweet"] | Schemas["HeldNotice"]): Schemas["Tweet"] {
  if ("held" in answer) throw new HeldReplyError(answer);
  return answer;
}
