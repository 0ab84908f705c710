import { useQuery } from "@tanstack/react-query";
import { claims } from "./firebase";
import { useSession } from "./session";
import { readerKeys } from "./keys";

/**
 * Tells what the reader looks after, by the claims of the ID token. The API decides by the same
 * claims.
 */
export function useRole() {
  const { uid, guest } = useSession();
  return useQuery({
    queryKey: readerKeys.role(uid),
    enabled: uid !== undefined && !guest,
    staleTime: 5 * 60_000,
    meta: { keep: false },
    queryFn: async () => {
      const said = await claims();
      const sells = said["admin"] === true;
      return { sells, moderates: sells || said["moderator"] === true };
    },
  });
}
