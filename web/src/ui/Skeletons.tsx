import { Loading } from "./states";

/** A thread that waits: the tweet of the page, and replies. */
export const WaitingThread = () => (
  <Loading rows={2}>
    <div className="skeleton as-thread" aria-hidden="true">
      <i className="face" />
      <div>
        <i style={{ width: "30%" }} />
        <i style={{ width: "20%" }} />
      </div>
      <div className="text">
        <i />
        <i />
        <i style={{ width: "60%" }} />
      </div>
    </div>
  </Loading>
);

/** A profile that waits: the wide picture, the person, and tweets. */
export const WaitingProfile = () => (
  <Loading rows={3}>
    <div className="skeleton as-profile" aria-hidden="true">
      <i className="wide" />
      <i className="face" />
      <div className="text">
        <i style={{ width: "40%" }} />
        <i style={{ width: "20%" }} />
        <i />
        <i style={{ width: "30%" }} />
      </div>
    </div>
  </Loading>
);

/** Products that wait. */
export const WaitingGoods = () => (
  <Loading rows={0}>
    <div className="skeleton as-field" aria-hidden="true">
      <i />
    </div>
    <div className="goods" aria-hidden="true">
      {Array.from({ length: 9 }, (_, n) => (
        <div className="skeleton as-good" key={n}>
          <i className="wide" />
          <div>
            <i style={{ width: "80%" }} />
            <i style={{ width: "40%" }} />
            <i style={{ width: "30%" }} />
          </div>
        </div>
      ))}
    </div>
  </Loading>
);

/** A product that waits. */
export const WaitingProduct = () => (
  <Loading rows={0}>
    <div className="skeleton as-product" aria-hidden="true">
      <i className="wide" />
      <div className="text">
        <i style={{ width: "50%" }} />
        <i style={{ width: "20%" }} />
        <i style={{ width: "70%" }} />
      </div>
    </div>
  </Loading>
);

/** Messages that wait, those of now at the bottom. */
export const WaitingMessages = () => (
  <Loading rows={0}>
    <div className="skeleton as-messages" aria-hidden="true">
      {[45, 30, 55, 35].map((width, n) => (
        <i key={width} style={{ width: `${width}%`, marginInlineStart: n % 2 ? "auto" : 0 }} />
      ))}
    </div>
  </Loading>
);
