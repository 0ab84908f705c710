import { ChevronRight } from "lucide-react";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "../../lib/speech";
import { Link, useLocation } from "wouter";
import { body, hibana, queries, type Schemas } from "../../lib/api";
import { sentence, tell } from "../../lib/failures";
import { typed } from "../../lib/forms";
import { major, minor } from "../shop/money";
import { useProduct, useProducts, type Product } from "../shop/shop";
import { toast } from "../../lib/toast";
import { Money, Picture } from "../shop/ProductCard";
import { PictureFields, usePicture } from "./ProductPicture";
import { Failed, Loading } from "../../ui/states";
import { More } from "../../ui/More";
import { shopKeys } from "../shop/keys";

const both = ["admin", "translation"] as const;

/** A new product, and all that are for sale. */
export function Products() {
  const { t } = useTranslation(both);
  const [, go] = useLocation();
  const query = useProducts("name");
  const attempt = useAttempt();
  const send = usePicture();
  const create = async (form: FormData) => {
    const imageMedia = await send(form);
    const product = await attempt(JSON.stringify([...form]), async (key) =>
      body(
        hibana.POST("/v1/products", {
          params: { header: { "Idempotency-Key": key } },
          body: {
            name: typed(form, "name"),
            description: typed(form, "description"),
            ...(imageMedia ? { imageMedia } : { image: typed(form, "image") }),
            price: priceOf(form),
            stock: Number(form.get("stock")),
          },
        }),
      ),
    );
    changed(product);
    toast.success(t("products.added", { name: product.name }));
    go(`/admin/products/${product.id}`);
  };
  return (
    <div className="settings">
      <Form title={t("products.new")} act={t("products.add")} onSubmit={create}>
        <label className="field">
          <span>{t("products.name")}</span>
          <input className="input" name="name" required maxLength={100} autoComplete="off" />
        </label>
        <label className="field">
          <span>{t("products.description")}</span>
          <textarea className="input" name="description" rows={3} maxLength={5000} />
        </label>
        <PictureFields />
        <label className="field">
          <span>{t("products.image")}</span>
          <input className="input" name="image" type="url" pattern="https://.*" />
          <small>{t("products.imageHint")}</small>
        </label>
        <Price />
        <label className="field">
          <span>{t("products.stock")}</span>
          <input
            className="input"
            name="stock"
            type="number"
            required
            min={0}
            max={1_000_000}
            defaultValue={0}
          />
        </label>
      </Form>
      <section aria-label={t("products.listed")}>
        <h2>{t("products.listed")}</h2>
        {query.isPending ? (
          <Loading rows={2} />
        ) : !query.data ? (
          <Failed failure={query.error} again={() => void query.refetch()} />
        ) : (
          <ul>
            {query.data.pages
              .flatMap((page) => page.items)
              .map((product) => (
                <li key={product.id}>
                  <Link href={`/admin/products/${product.id}`} className="ordered pictured">
                    <Picture of={product} />
                    <span className="what">
                      <strong>{product.name}</strong>
                      <span className="muted">
                        {t("products.inStock", { count: product.amountInStock })}
                      </span>
                    </span>
                    <Money of={product.price} />
                    <ChevronRight size={18} aria-hidden="true" />
                  </Link>
                </li>
              ))}
          </ul>
        )}
        <More of={query} label={t("admin:more")} />
      </section>
    </div>
  );
}

/** A product: its price, its stock, and whether it is sold. */
export function EditProduct({ id }: { id: string }) {
  const { t } = useTranslation(both);
  const query = useProduct(id);
  const attempt = useAttempt();
  const send = usePicture();
  const params = { path: { id } };
  const product = query.data;
  if (query.isPending) return <Loading as="panels" rows={2} />;
  if (!product) return <Failed failure={query.error} again={() => void query.refetch()} />;
  const patch = async (what: Schemas["ProductPatch"]) => {
    changed(await body(hibana.PATCH("/v1/products/{id}", { params, body: what })));
    toast.success(t("products.changed"));
  };
  const show = async (form: FormData) => {
    const imageMedia = await send(form);
    const imageAlt = typed(form, "alt");
    if (imageMedia) await patch({ imageMedia });
    else if (product.picture && imageAlt !== product.picture.alt) await patch({ imageAlt });
  };
  const restock = async (form: FormData) => {
    const pieces = Number(form.get("pieces"));
    changed(
      await attempt(String(pieces), (key) =>
        body(
          hibana.POST("/v1/products/{id}/restock", {
            params: { ...params, header: { "Idempotency-Key": key } },
            body: { pieces },
          }),
        ),
      ),
    );
    toast.success(t("products.changed"));
  };
  return (
    <div className="settings">
      <section aria-label={product.name}>
        <h2>{product.name}</h2>
        <p>
          <Money of={product.price} /> ·{" "}
          {product.active
            ? t("products.inStock", { count: product.amountInStock })
            : t("translation:shop.changes.retired")}
        </p>
        <p>
          <Link className="linklike" href={`/shop/${id}`}>
            {t("products.look")}
          </Link>
        </p>
      </section>
      <Form
        key={`picture ${product.version}`}
        title={t("products.picture")}
        act={t("products.pictureUse")}
        onSubmit={show}
      >
        <PictureFields of={product} />
        {product.picture && (
          <button
            type="button"
            className="button"
            onClick={() => void patch({ imageMedia: "" }).catch(tell)}
          >
            {t("products.pictureRemove")}
          </button>
        )}
      </Form>
      <Form
        key={product.version}
        title={t("products.price")}
        act={t("products.change")}
        onSubmit={(form) => patch({ price: priceOf(form) })}
      >
        <Price of={product.price} />
      </Form>
      <Form title={t("products.stock")} act={t("products.restockNow")} onSubmit={restock}>
        <label className="field">
          <span>{t("products.restock")}</span>
          <input
            className="input"
            name="pieces"
            type="number"
            required
            min={-1_000_000}
            max={1_000_000}
            defaultValue={0}
          />
          <small>{t("products.restockHint")}</small>
        </label>
      </Form>
      <Form
        title={t("products.listed")}
        act={t(product.active ? "products.retire" : "products.sell")}
        danger={product.active}
        onSubmit={() => patch({ active: !product.active })}
      >
        {product.active && <p className="muted">{t("products.retireHint")}</p>}
      </Form>
    </div>
  );
}

/** A form that says what the API refuses beside its button. */
function Form({
  title,
  act,
  danger = false,
  onSubmit,
  children,
}: {
  title: string;
  act: string;
  danger?: boolean;
  onSubmit: (form: FormData) => Promise<void>;
  children: ReactNode;
}) {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setFailure("");
    await onSubmit(new FormData(event.currentTarget)).catch((problem: unknown) =>
      setFailure(sentence(problem)),
    );
    setBusy(false);
  };
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        {failure && (
          <p className="notice" role="alert">
            {failure}
          </p>
        )}
        <button className={danger ? "button danger" : "button main"} disabled={busy}>
          {act}
        </button>
      </form>
    </section>
  );
}

function Price({ of }: { of?: Product["price"] }) {
  const { t } = useTranslation("admin");
  return (
    <>
      <label className="field">
        <span>{t("products.price")}</span>
        <input
          className="input"
          name="amount"
          type="number"
          step="any"
          required
          min={0}
          defaultValue={of && major(of)}
        />
      </label>
      <label className="field">
        <span>{t("products.currency")}</span>
        <input
          className="input"
          name="currency"
          required
          pattern="[A-Z]{3}"
          defaultValue={of?.currency ?? "JPY"}
          autoComplete="off"
        />
      </label>
    </>
  );
}

const priceOf = (form: FormData) => minor(Number(form.get("amount")), typed(form, "currency"));

// useAttempt gives a request a key that makes it one request, also when it is sent again. What is
// done, and another wish, gets a new key.
function useAttempt() {
  const last = useRef({ what: "", key: "" });
  return async <T,>(what: string, send: (key: string) => Promise<T>): Promise<T> => {
    if (last.current.what !== what) last.current = { what, key: crypto.randomUUID() };
    const done = await send(last.current.key);
    last.current = { what: "", key: "" };
    return done;
  };
}

function changed(product: Product) {
  queries.setQueryData(shopKeys.product(product.id), product);
  void queries.invalidateQueries({ queryKey: shopKeys.products });
}
