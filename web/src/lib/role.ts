import { useQuery } from "@tanstack/react-query";
import { firebase } from "./firebase";
import { useSession } from "./session";

/**
 * Tells what the reader looks after, by the claims of the ID token. The API decides by the same
 * claims.
 */
export function useRole() {
  const { uid, guest } = useSession();
  return useQuery({
    queryKey: ["role", uid],
    enabled: uid !== undefined && !guest,
    staleTime: 5 * 60_000,
    meta: { keep: false },
    queryFn: async () => {
      const { claims } = await (await firebase()).auth.currentUser!.getIdTokenResult();
      const sells = claims["admin"] === true;
      return { sells, moderates: sells || claims["moderator"] === true };
    },
  });
}
