import { lazy, Suspense } from "react";
import type { Pictured } from "../../lib/api";
import { box } from "./media";

const Pictures = lazy(() => import("./Pictures"));

/** The pictures of a tweet, if it has any. Their place is kept until their scripts are there. */
export const Shown = ({ tweet, still }: { tweet: Pictured; still?: boolean }) =>
  tweet.media?.length ? (
    <Suspense fallback={<span className="pictures" style={box(tweet.media)} />}>
      <Pictures tweet={tweet} media={tweet.media} still={still ?? false} />
    </Suspense>
  ) : null;
