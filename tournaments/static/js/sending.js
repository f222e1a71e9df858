// Keeps on the device what is typed, and sends it under an idempotency key: tried again until an
// answer comes, it is carried out once. Used by the recorder and by the results desk.

export const RETRY = 3000; // milliseconds until what got no answer is sent again
const TIMEOUT = 15000; // milliseconds until no answer is expected any more

// crypto.randomUUID exists only in secure contexts; a club's own server often has no https
export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Keep a value on the device; false where the browser refuses. */
export const keep = (place, value) => {
  try {
    localStorage.setItem(place, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

export const load = (place) => {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null;
  }
};

export const forget = (place) => {
  try {
    localStorage.removeItem(place);
  } catch { /* nothing was kept */ }
};

/** Return the values kept in all places that begin with a prefix. */
export const loadAll = (prefix) => {
  try {
    return Object.keys(localStorage).filter((place) => place.startsWith(prefix)).map(load).filter(Boolean);
  } catch {
    return [];
  }
};

// 4xx that another try may not meet: signed out, too slow, too early, too many at once
const PASSING = [401, 403, 408, 425, 429];

/**
 * Post a body. Returns the status and what the answer says: its JSON; nothing ({}) where the request
 * is refused for good without JSON; null where it is not the service that answers. Throws if none came.
 */
export const post = async (url, body, headers = {}) => {
  const csrf = document.querySelector("main [name=csrfmiddlewaretoken]").value;
  const reply = await fetch(url, {
    method: "POST",
    credentials: "same-origin",
    headers: { "X-CSRFToken": csrf, ...headers },
    body,
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const is_json = reply.headers.get("Content-Type")?.startsWith("application/json");
  const is_final = reply.status >= 400 && reply.status < 500 && !PASSING.includes(reply.status);
  return { status: reply.status, said: is_json ? await reply.json() : is_final ? {} : null };
};

/** Return why an answer does not settle what was sent, so that it is to be sent again; else "". */
export const hindrance = ({ status, said }) => {
  if (status === 401 || status === 403) return "sign_in";
  const is_under_way = said?.code === "idempotency_in_flight";
  return said === null || status >= 500 || is_under_way ? "trouble" : "";
};
