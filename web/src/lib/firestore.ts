/** What of Firestore this client uses: the build leaves out what is not named here. */
export {
  connectFirestoreEmulator,
  doc,
  getFirestore,
  initializeFirestore,
  onSnapshot,
} from "firebase/firestore";
