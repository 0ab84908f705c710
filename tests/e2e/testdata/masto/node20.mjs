// What masto.js takes for granted, and Node.js 20 has not.
Promise.withResolvers ??= function () {
  const all = {};
  all.promise = new this((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
};
