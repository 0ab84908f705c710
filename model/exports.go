package model

import "time"

// Times and sizes of exports.
const (
	// ExportEvery is how long after the beginning of an export the same user may request another.
	ExportEvery = 24 * time.Hour
	// ExportWindow is how long the archives of an export can be downloaded after its end.
	ExportWindow = 7 * 24 * time.Hour
	// ExportLink is how long the link to an archive is valid. A request makes a new one.
	ExportLink = 15 * time.Minute

	// MaxExportSteps is how many steps of exports a process does at once: each holds a part and a page of documents,
	// about 10 MB. One of them may hold a file of media, up to MaxVideoBytes.
	MaxExportSteps = 4

	// MaxExportParts is how many parts wait to be joined in one archive, and MaxExportArchives
	// how many archives an export may have. Both bound the work document.
	MaxExportParts    = 64
	MaxExportArchives = 300

	// MediaExportArchives is how many archives files of media may fill, 32 MB or more each. An export of more leaves files
	// out, and says which. So it has all documents, although there is a most of archives.
	MediaExportArchives = 250
)

// ExportWork asks Export to write all documents of a user into archives: exports/{uid}. Parts and archives are files in
// the bucket of exports. The document stays as long as the archives.
type ExportWork struct {
	UserID UserID `firestore:"userId"`
	ID     string `firestore:"id"` // random: names the folder of the files

	Sections []string         `firestore:"sections"` // of the release that began the export
	Section  string           `firestore:"section"`  // the next section; empty when all is written
	After    string           `firestore:"after"`    // the last document of the section that is written; empty at first
	Parts    []ExportFile     `firestore:"parts"`    // written parts that are in no archive yet
	Archives []ExportFile     `firestore:"archives"` // in order
	Items    map[string]int64 `firestore:"items"`    // how many items are written, by section
	Files    int              `firestore:"files"`    // how many parts there were

	OmittedFiles int64 `firestore:"omittedFiles,omitempty"` // how many files of media are in no archive, see MediaExportArchives

	// by the clock of the database; creating the document sets it, if it is zero
	StartedAt time.Time `firestore:"startedAt,serverTimestamp"`
	ReadyAt   time.Time `firestore:"readyAt,omitempty"` // when the archives could be downloaded; zero before
	// why there will be no archives; empty for an export that goes on
	Failed    string    `firestore:"failed,omitempty"`
	ExpireAt  time.Time `firestore:"expireAt"`
	WrittenAt time.Time `firestore:"-"`
}

// Ended reports whether nothing is written any more.
func (w *ExportWork) Ended() bool { return !w.ReadyAt.IsZero() }

// ExportFile is a part or an archive of an export.
type ExportFile struct {
	Name  string `firestore:"name"` // below the export's folder
	Bytes int64  `firestore:"bytes"`
}
