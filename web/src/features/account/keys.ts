/** The names of what was read of the account. */
export const accountKeys = {
  /** The ways to sign in that the account has. */
  ways: ["ways"],
  /** Where the account is signed in. */
  places: ["signIns"],
  /** The ways to sign in that this server offers. */
  providers: ["providers"],
  /** The accounts of the reader on other servers. */
  aliases: ["aliases"],
  signUp: ["sign-up"],
  export: ["export"],
} as const;
