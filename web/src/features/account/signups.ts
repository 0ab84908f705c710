import { useQuery } from "@tanstack/react-query";
import { body, hibana, HibanaError, queries, type Schemas } from "../../lib/api";
import { accountKeys } from "./keys";

export type SignUp = Schemas["SignUp"];

export const signUpKey = accountKeys.signUp;

/** Reads the sign-up of the reader that waits for approval, or was refused; null for none. */
export function useSignUp(enabled: boolean) {
  return useQuery({
    queryKey: signUpKey,
    enabled,
    meta: { keep: false },
    queryFn: async (): Promise<SignUp | null> => {
      try {
        return await body(hibana.GET("/v1/users/me/sign-up"));
      } catch (failure) {
        if (failure instanceof HibanaError && failure.status === 404) return null;
        throw failure;
      }
    },
  });
}

/** Forgets what waited. */
export const forgetSignUp = () => queries.setQueryData<SignUp | null>(signUpKey, null);
