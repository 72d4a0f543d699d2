//! What the window of the fit is told: kept with the file, undone, and begun with when the file is opened again.

use crate::fitting::{arm, athlete, fitted};
use crate::inspecting::enter;
use crate::window::{click, fitted as wait, on_arm, studio, studio_mut, template_in};
use egui_kittest::kittest::Queryable;
use fusiform_fit::{Preset, Role, Side};
use fusiform_studio::model::{Action, Anatomy, Edit, Fit, Fitting, Gesture, Look, Project, Recipe, Studio, Wanted};

#[test]
fn a_file_is_fitted_again_with_the_preset_and_the_template_it_was_fitted_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::File(template_in(folder.path())), Preset::Saam);
    let was = studio.document().musculature.clone();
    studio.save(&path).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    let mut again = Studio::new(project, muscles, None).unwrap();
    assert_eq!((&again.fit.recipe.anatomy, again.fit.recipe.preset), (&studio.fit.recipe.anatomy, Preset::Saam));
    again.apply(Fit::Recipe(Recipe { fat: Some(0.003), ..again.fit.recipe.clone() }));
    again.apply(Fit::Run);
    wait(&mut again);
    assert!(again.fault.is_none(), "{:?}", again.fault);
    let now = &again.document().musculature;
    assert!(now.muscles.iter().map(|of| &of.name).eq(was.muscles.iter().map(|of| &of.name)));
    assert_eq!(now.layers, was.layers);
    assert!(now.muscles.iter().all(|muscle| Preset::of(muscle) == Preset::Saam));
    again.guessed.clear();
    for fit in [Fit::Shape, Fit::PlaceAgain] {
        again.apply(Look::Choose((0..again.muscles().len()).collect()));
        again.apply(fit.clone());
        wait(&mut again);
        assert!(again.fault.is_none() && again.guessed.is_empty(), "{fit:?}: {:?} {:?}", again.fault, again.guessed);
    }
}

#[test]
fn muscles_whose_template_is_gone_are_shaped_to_the_skin_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hero.glb");
    let mut studio = athlete();
    let template = template_in(folder.path());
    fitted(&mut studio, Anatomy::File(template.clone()), Preset::Lee);
    studio.save(&path).unwrap();
    std::fs::remove_file(template).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    let mut again = Studio::new(project, muscles, None).unwrap();
    again.apply(Look::Choose((0..again.muscles().len()).collect()));
    again.apply(Fit::Shape);
    wait(&mut again);
    assert!(again.fault.is_none(), "{:?}", again.fault);
    again.apply(Fit::Run);
    wait(&mut again);
    assert!(
        again.fault.take().is_some_and(|fault| fault.to_string().contains("arms.toml")),
        "where it is wanted it is told"
    );
}

#[test]
fn muscles_of_a_file_that_says_nothing_of_its_fit_tell_what_they_are() {
    let mut studio = athlete();
    fitted(&mut studio, Anatomy::Pairs, Preset::Ramos);
    let mut project = studio.project.clone();
    project.fitting = Fitting::default();
    let again = Studio::new(project, studio.document().musculature.clone(), None).unwrap();
    assert_eq!((&again.fit.recipe.anatomy, again.fit.recipe.preset), (&Anatomy::Pairs, Preset::Ramos));
}

#[test]
fn a_run_that_would_make_other_muscles_of_those_there_are_is_told_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let studio = studio_mut(&mut window);
    fitted(studio, Anatomy::Pairs, Preset::Saam);
    studio.apply(Fit::Show(true));
    window.run_steps(3);
    assert!(window.query_by_label_contains("Run makes them").is_none());
    let recipe = studio_mut(&mut window).fit.recipe.clone();
    studio_mut(&mut window).apply(Fit::Recipe(Recipe { preset: Preset::Lee, ..recipe }));
    window.run_steps(3);
    window.get_by_label_contains("The muscles are after saam. Run makes them lee's");
    click(&mut window, "Undo");
    assert_eq!(self::studio(&window).fit.recipe.preset, Preset::Lee, "the muscles there were are after lee");
    assert!(window.query_by_label_contains("Run makes them").is_none());
}

#[test]
fn what_is_said_of_the_body_is_edited_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    let mut studio = arm();
    let first = studio.document().clone();
    let gesture = Some(Gesture::begin());
    for fat in [0.004, 0.005, 0.006] {
        let wanted = Wanted { fat: Some(fat), ..studio.document().fitting.wanted() };
        studio.apply(Action::Edit(Edit::Want(wanted), gesture));
    }
    assert!(studio.history.is_unsaved() && studio.fit.recipe.fat == Some(0.006));
    let given = [((Role::LowerArm, Some(Side::Left)), Some(1))].into();
    studio.apply(Fit::Recipe(Recipe { given, body: Some(0), ..studio.fit.recipe.clone() }));
    let said = studio.fit.recipe.clone();
    studio.save(&path).unwrap();
    let (project, muscles) = Project::open(&path).unwrap();
    assert_eq!(Studio::new(project, muscles, None).unwrap().fit.recipe, said);
    studio.apply(Fit::Recipe(Recipe { given: Default::default(), ..said.clone() }));
    assert!(studio.fit.recipe.given.is_empty());
    studio.apply(Action::Undo);
    assert_eq!(studio.fit.recipe, said, "roles come back");
    studio.apply(Action::Undo);
    assert_eq!((studio.fit.recipe.fat, studio.fit.recipe.body), (Some(0.006), None));
    studio.apply(Action::Undo);
    assert_eq!((studio.document(), studio.fit.recipe.fat), (&first, None), "a drag is one step");
    studio.apply(Fit::Recipe(Recipe { fat: Some(f32::NAN), ..said }));
    assert_eq!((studio.document(), studio.fit.recipe.fat), (&first, None));
}

#[test]
fn fat_that_is_typed_is_one_step_and_what_is_chosen_during_a_fit_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Fit::Show(true));
    window.run_steps(3);
    let steps = studio(&window).history.steps();
    enter(&mut window, "Fat", "12.5");
    assert_eq!(studio(&window).history.steps().0, steps.0 + 1);
    assert_eq!(studio(&window).fit.recipe.fat, Some(0.0125));
    let studio = studio_mut(&mut window);
    studio.apply(Fit::Recipe(Recipe { anatomy: Anatomy::Pairs, ..studio.fit.recipe.clone() }));
    studio.apply(Fit::Run);
    studio.apply(Fit::Recipe(Recipe { fat: Some(0.002), ..studio.fit.recipe.clone() }));
    wait(studio);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!((studio.document().fitting.fat, studio.fit.recipe.fat), (Some(0.0125), Some(0.002)));
}
