import "../../i18n/lists";
import { useTranslation } from "../../lib/speech";
import { Link } from "wouter";
import type { UserSummary } from "../../lib/api";
import { keepOn, useLists, useOnList, type List } from "./lists";
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
  return lists.map((list) => <Membership key={list.id} list={list} uid={uid} />);
}

function Membership({ list, uid }: { list: List; uid: string }) {
  const on = useOnList(list.id, uid);
  return (
    <Toggle
      label={list.title}
      on={on ?? false}
      disabled={on === undefined}
      onChange={(is) => void keepOn(list.id, uid, is)}
    />
  );
}
