import { Failed } from "./states";

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
}

/** The button for the next page of a list, if there is one, and why that did not come. */
export function More({ of, label }: { of: Paged; label: string }) {
  return (
    <>
      {of.hasNextPage && (
        <button
          className="openbranch"
          disabled={of.isFetchingNextPage}
          onClick={() => void of.fetchNextPage()}
        >
          {label}
        </button>
      )}
      {of.isFetchNextPageError && (
        <Failed failure={of.error} again={() => void of.fetchNextPage()} />
      )}
    </>
  );
}
