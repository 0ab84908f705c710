/**
 * A client of the API of Hibana. The paths, parameters and answers are typed by schema.ts, which
 * is generated from the OpenAPI document.
 *
 *     const hibana = createClient({ baseUrl, token: (fresh) => user.getIdToken(fresh) });
 *     const content = "Sparks fly #hibana";
 *     const tweet = posted(await body(hibana.POST("/v1/tweets", { body: { content } })));
 */
import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export type { components, paths };
export * from "./filters.js";
export * from "./held.js";
export type Schemas = components["schemas"];
export type Tweet = Schemas["Tweet"];
export type Problem = Schemas["Problem"];

/** The code of a failure, for programs. */
export type Code = Problem["code"];

/** An answer that is no success. Branch on its code. */
export class HibanaError extends Error {
  override readonly name = "HibanaError";

  constructor(
    readonly status: number,
    readonly code: Code | "unreadable",
    message: string,
    /** The problem document, if the answer was one. */
    readonly problem: Problem | undefined,
  ) {
    super(message);
  }
}

export interface Options {
  /** Where the API is, without a slash at the end. */
  baseUrl: string;
  /**
   * Gives the caller's ID token, or undefined for a caller who is signed out. fresh asks for a
   * token that was made now, because the last one has expired.
   */
  token?: (fresh: boolean) => Promise<string | undefined>;
  /**
   * Gives the App Check token of this app, or undefined where there is none. The client asks for
   * each attempt, because the SDK of Firebase keeps tokens fresh; a failure sends the request
   * without a token, and the API decides.
   */
  appCheck?: () => Promise<string | undefined>;
  /** How often a request is sent at most, 4 if absent. */
  attempts?: number;
  /**
   * The longest time in milliseconds that a request waits before it is sent again, 10,000 if
   * absent.
   */
  patience?: number;
  /** What sends requests, the fetch of the platform if absent. */
  fetch?: (request: Request) => Promise<Response>;
}

export type Hibana = Client<paths>;

/**
 * Returns a client. It sends the ID token, gets a fresh one when it has expired, and sends a
 * request again after a failure of the network, 429 and 503, waiting as long as Retry-After says. A
 * new tweet or draft gets an Idempotency-Key, so that it is made once. An answer that is no success
 * is thrown as a HibanaError.
 */
export function createClient(options: Options): Hibana {
  const client = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    fetch: (request) => send(options, request),
  });
  client.use({
    onRequest({ request, schemaPath }) {
      const once = schemaPath === "/v1/tweets" || schemaPath === "/v1/drafts";
      if (request.method === "POST" && once && !request.headers.has("Idempotency-Key")) {
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      }
      return request;
    },
    async onResponse({ response }) {
      if (!response.ok && response.status !== 304) {
        throw await errorOf(response);
      }
      return undefined;
    },
  });
  return client;
}

/** Returns the body of an answer. An answer of 204 has none. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/**
 * Goes through all items of a list, page by page.
 *
 *     for await (const t of items((pageToken) => body(hibana.GET("/v1/timeline", { params: { query: { pageToken } } })))) …
 */
export async function* items<T>(
  page: (pageToken: string | undefined) => Promise<{ items: T[]; nextPageToken: string }>,
): AsyncGenerator<T, void, undefined> {
  let token: string | undefined;
  do {
    const found = await page(token);
    yield* found.items;
    token = found.nextPageToken;
  } while (token);
}

/** What came to a home timeline. */
export interface News {
  /** Newest first. */
  items: Schemas["HomeTweet"][];
  /** What the next question asks with. */
  newest: string;
  /** Not empty if more came than was read: the next page of the timeline continues with it. */
  nextPageToken: string;
}

/**
 * Reads what came to the caller's home timeline since an answer whose newest is given, at most some
 * pages of it, 1 if absent. What came at an older place is not among it, such as tweets of somebody
 * whom the caller follows since: the first page of the timeline has that.
 *
 *     const { items, newest } = await body(hibana.GET("/v1/timeline", {}));
 *     const news = await newer(hibana, newest);
 *
 * Cost: 2 reads if nothing came.
 */
export async function newer(
  hibana: Hibana,
  newest: string,
  {
    pages = 1,
    ...query
  }: { pages?: number; pageSize?: number; format?: "markdown" | "html" | "tree" } = {},
): Promise<News> {
  const news: News = { items: [], newest, nextPageToken: "" };
  for (let n = 0; n < pages && (n === 0 || news.nextPageToken); n++) {
    const found = await body(
      hibana.GET("/v1/timeline", {
        params: { query: { ...query, after: newest, pageToken: news.nextPageToken } },
      }),
    );
    news.items.push(...found.items);
    if (n === 0) news.newest = found.newest;
    news.nextPageToken = found.nextPageToken;
  }
  return news;
}

async function send(options: Options, request: Request): Promise<Response> {
  const most = options.attempts ?? 4;
  const patience = options.patience ?? 10_000;
  let fresh = false;
  for (let attempt = 1; ; attempt++) {
    const again = request.clone();
    const token = await options.token?.(fresh);
    if (token) {
      again.headers.set("Authorization", `Bearer ${token}`);
    }
    const proof = await options.appCheck?.().catch(() => undefined);
    if (proof) {
      again.headers.set("X-Firebase-AppCheck", proof);
    }
    let wait = Math.min(250 * 2 ** attempt, patience);
    try {
      const response = await (options.fetch ?? fetch)(again);
      if (response.status === 401 && token && !fresh) {
        fresh = true;
        continue;
      }
      if (attempt >= most || !repeatable(request, response.status)) {
        return response;
      }
      const told = Number(response.headers.get("Retry-After"));
      if (told * 1000 > patience) {
        return response;
      }
      wait = told > 0 ? told * 1000 : wait;
      await response.body?.cancel();
    } catch (failure) {
      if (attempt >= most || request.signal.aborted || !repeatable(request, 503)) {
        throw failure;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/**
 * Tells whether a request may be sent again after an answer. What was refused with 429 was not
 * done.
 */
function repeatable(request: Request, status: number): boolean {
  return (
    status === 429 ||
    (status === 503 && (request.method !== "POST" || request.headers.has("Idempotency-Key")))
  );
}

async function errorOf(response: Response): Promise<HibanaError> {
  try {
    const problem = (await response.clone().json()) as Problem;
    if (typeof problem.code === "string") {
      return new HibanaError(response.status, problem.code, problem.detail, problem);
    }
  } catch {
    // no JSON: something between the client and the API answered
  }
  return new HibanaError(
    response.status,
    "unreadable",
    `the answer is ${response.status} ${response.statusText}`,
    undefined,
  );
}
