import "../../i18n/lists";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import { body, hibana, type UserSummary } from "../../lib/api";
import { tell } from "../../lib/failures";
import { keepOn, useLists, type List } from "./lists";
import { Dialog } from "../../ui/Dialog";
import { Failed, Loading } from "../../ui/states";
import { Toggle } from "../../ui/Toggle";

/** Says on which of the reader's lists a person is, and changes that. */
export default function AddToList({
  user,
  onClose,
}: {
  user: Pick<UserSummary, "id" | "nickname">;
  onClose: () => void;
}) {
  const { t } = useTranslation("lists");
  const { data, error, refetch } = useLists();
  return (
    <Dialog title={t("add.title", { name: user.nickname })} onClose={onClose}>
      {!data && (error ? <Failed failure={error} again={() => void refetch()} /> : <Loading />)}
      {data?.length === 0 && (
        <>
          <p>{t("add.none")}</p>
          <Link className="button main" href="/lists" onClick={onClose}>
            {t("title")}
          </Link>
        </>
      )}
      {data && data.length > 0 && <Lists lists={data} uid={user.id} />}
    </Dialog>
  );
}

function Lists({ lists, uid }: { lists: List[]; uid: string }) {
  const [wanted, want] = useState<Record<string, boolean>>({});
  const on = useQueries({
    queries: lists.map(({ id }) => ({
      queryKey: ["listMembers", id],
      queryFn: async () =>
        (await body(hibana.GET("/v1/lists/{id}/members", { params: { path: { id } } }))).items.map(
          (one) => one.id,
        ),
    })),
  });
  return (
    <>
      {lists.map((list, n) => (
        <Toggle
          key={list.id}
          label={list.title}
          on={wanted[list.id] ?? on[n]?.data?.includes(uid) ?? false}
          disabled={on[n]?.data === undefined}
          onChange={(is) => {
            want((all) => ({ ...all, [list.id]: is }));
            keepOn(list.id, uid, is).catch((failure: unknown) => {
              want((all) => ({ ...all, [list.id]: !is }));
              tell(failure);
            });
          }}
        />
      ))}
    </>
  );
}
