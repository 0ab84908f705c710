// What one tab of an account has done is shown by its other open tabs, without a reload and without
// asking the API: when the API has taken something, the tab tells them a name and plain data. A tab
// that misses a message shows the same after its next read.

interface Message {
  form: typeof form;
  uid: string;
  name: string;
  data: unknown;
}

const form = 1; // of messages: tabs of another version of this client are not understood
/** The most characters of a message, as JSON. */
export const mostCharacters = 20_000;
/** The most messages of a tab in a time, in milliseconds. What is beyond is not told. */
export const mostMessages = 50;
export const period = 10_000;

const hears = new Map<string, (data: never) => void>();
const told: number[] = []; // when this tab told something, of the last period
let of: string | undefined;
let channel: BroadcastChannel | undefined;

/** Says whose tab this is from now on: it hears of nobody else. */
export function tabOf(uid: string | undefined): void {
  of = uid;
  if (!("BroadcastChannel" in globalThis)) return;
  channel ??= new BroadcastChannel("hibana.tabs");
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data?.form !== form || data.uid !== of || !fits(data)) return;
    hears.get(data.name)?.(data.data as never);
  };
}

// fits tells whether a message is small enough. What is no plain data is none.
function fits(message: Message): boolean {
  try {
    return JSON.stringify(message).length <= mostCharacters;
  } catch {
    return false;
  }
}

/**
 * Makes of what is done to what was read something that is done in all open tabs of the account:
 * here at once. Tabs that did not load the part of the client with this name have read nothing that
 * it could change.
 */
export function inAllTabs<Data>(name: string, here: (data: Data) => void): (data: Data) => void {
  hears.set(name, here);
  return (data) => {
    here(data);
    if (of === undefined || !channel) return;
    const now = Date.now();
    while (told.length > 0 && told[0]! <= now - period) told.shift();
    const message: Message = { form, uid: of, name, data };
    if (told.length >= mostMessages || !fits(message)) return;
    told.push(now);
    try {
      channel.postMessage(message);
    } catch {
      // what cannot be copied is not told
    }
  };
}
