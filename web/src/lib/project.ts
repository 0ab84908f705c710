/** What clients know about the project: what Firebase Hosting answers, and where emulators are. */
export interface Project {
  projectId: string;
  apiKey: string;
  authDomain?: string;
  appId?: string;
  messagingSenderId?: string;
  /**
   * The site key of reCAPTCHA Enterprise with which App Check knows this page; the build may have
   * it as VITE_APP_CHECK_KEY.
   */
  appCheckKey?: string;
  /** As VITE_SIGN_IN and VITE_SECOND_FACTOR, which the build may have. */
  signIn?: string;
  secondFactor?: string;
  /** host:port, on a developer's machine only. */
  authEmulator?: string;
  firestoreEmulator?: string;
}

let asked: Promise<Project> | undefined;

/** Reads the project once. */
export function project(): Promise<Project> {
  asked ??= fetch("/__/firebase/init.json").then((answer) => {
    if (!answer.ok) throw new Error(`the project's description answers ${answer.status}`);
    return answer.json() as Promise<Project>;
  });
  asked.catch(() => (asked = undefined));
  return asked;
}
