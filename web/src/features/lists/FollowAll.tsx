import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { queries } from "../../lib/api";
import { sentence } from "../../lib/failures";
import { followSome, type List, type Step } from "./lists";
import { Wrong } from "../../ui/Wrong";
import { postKeys } from "../posts/keys";
import { peopleKeys } from "../people/keys";

/** Follows everybody on a list, some at a time, and says how far it is. */
export function FollowAll({ list }: { list: List }) {
  const { t } = useTranslation("lists");
  const [steps, setSteps] = useState<Step[]>([]);
  const [state, setState] = useState<"ready" | "running" | "stopped" | "done">("ready");
  // Where the next request goes on after one that failed.
  const [next, setNext] = useState<string>();
  const [failure, setFailure] = useState("");
  const run = async () => {
    setFailure("");
    setState("running");
    try {
      for (let from = next; ;) {
        const { items, nextPageToken } = await followSome(list.ownerId, list.id, from);
        setSteps((before) => [...before, ...items]);
        from = nextPageToken || undefined;
        setNext(from);
        if (!from) break;
      }
      setState("done");
    } catch (problem) {
      setFailure(sentence(problem));
      setState("stopped");
    }
    for (const name of [peopleKeys.allTies, postKeys.home])
      void queries.invalidateQueries({ queryKey: name });
  };
  const count = (result: Step["result"]) => steps.filter((one) => one.result === result).length;
  const left = steps.filter((one) => one.result === "skipped");
  return (
    <div className="followall">
      {state !== "done" && (
        <button className="button main" disabled={state === "running"} onClick={() => void run()}>
          {t(state === "stopped" ? "follow.again" : "follow.all")}
        </button>
      )}
      {state === "running" && (
        <progress
          aria-label={t("follow.running", { done: steps.length, count: list.memberCount })}
          max={Math.max(1, list.memberCount)}
          value={steps.length}
        />
      )}
      <p role="status">
        {state === "running" &&
          t("follow.running", { done: steps.length, count: list.memberCount })}
        {state === "done" &&
          t("follow.done", {
            followed: count("followed"),
            requested: count("requested"),
            already: count("already"),
            skipped: left.length,
          })}
      </p>
      {left.length > 0 && (
        <ul>
          {left.map(({ user, reason }) => (
            <li key={user.id}>
              <span dir="auto">{user.nickname}</span>: {t(`follow.reasons.${reasonOf(reason)}`)}
            </li>
          ))}
        </ul>
      )}
      <Wrong text={failure} />
    </div>
  );
}

const reasons = ["user_not_found", "follow_limit", "follower_limit", "request_limit"] as const;

const reasonOf = (reason: string | undefined) =>
  reasons.find((one) => one === reason) ?? "not_allowed";
